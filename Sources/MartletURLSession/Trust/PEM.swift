internal import Foundation

/// Reads the certificates of a PEM text (RFC 7468 §5).
enum PEM {
    /// Returns the DER of each certificate, in order, and ignores the text between them. Returns nil if one is malformed.
    static func certificates(in text: Data) -> [Data]? {
        var found: [Data] = []
        var base64: String?
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            switch line {
            case "-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----": base64 = ""
            case "-----END CERTIFICATE-----", "-----END TRUSTED CERTIFICATE-----":
                guard let text = base64, let certificate = Data(base64Encoded: text), !certificate.isEmpty else { return nil }
                found.append(certificate)
                base64 = nil
            default: base64?.append(line)
            }
        }
        return base64 == nil ? found : nil
    }
}
