internal import Foundation

/// Creates the SubjectPublicKeyInfo of a key (RFC 5280 §4.1.2.7), whose hash a pin contains, from the raw key that Security provides.
enum PublicKeyInfo {
    enum Kind: Hashable, Sendable {
        case rsa
        /// A key on P-256, P-384 or P-521, by the size of the curve in bits.
        case ellipticCurve(bits: Int)
    }

    /// - Parameters:
    ///   - kind: The kind of the key.
    ///   - key: For RSA, a PKCS #1 RSAPublicKey (RFC 8017 §A.1.1); for curves, the uncompressed point (SEC 1 §2.3.3).
    /// - Returns: The DER encoding, or nil for another curve.
    static func der(_ kind: Kind, key: Data) -> Data? {
        guard let algorithm = algorithm(of: kind) else { return nil }
        // The leading 0 is the number of unused bits in the last byte of the bit string.
        let bits = element(0x03, Data([0]) + key)
        return element(0x30, element(0x30, algorithm) + bits)
    }

    private static func algorithm(of kind: Kind) -> Data? {
        switch kind {
        // 1.2.840.113549.1.1.1 with NULL parameters.
        case .rsa: element(0x06, Data([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])) + Data([0x05, 0x00])
        // 1.2.840.10045.2.1 with the curve.
        case .ellipticCurve(let bits):
            curve(bits: bits).map { element(0x06, Data([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])) + element(0x06, $0) }
        }
    }

    private static func curve(bits: Int) -> Data? {
        switch bits {
        case 256: Data([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        case 384: Data([0x2B, 0x81, 0x04, 0x00, 0x22])
        case 521: Data([0x2B, 0x81, 0x04, 0x00, 0x23])
        default: nil
        }
    }

    /// Returns the tag, length and content of an element (X.690 §8.1).
    private static func element(_ tag: UInt8, _ content: Data) -> Data {
        let digits = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        let length = content.count < 0x80 ? [UInt8(content.count)] : [0x80 | UInt8(digits.count)] + digits
        return Data([tag] + length) + content
    }
}

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
