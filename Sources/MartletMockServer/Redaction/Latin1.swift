/// Bytes and characters of ISO-8859-1, which are the first 256 of Unicode.
package enum Latin1 {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// The bytes of a text; nil when it has a character that is not in ISO-8859-1.
    package static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Whether a text of this type, which is not marked as base64, stands for bytes: its charset says so, or it is of a kind that is not
    /// text, which mitmproxy writes so when most of it is readable.
    package static func isMeant(by type: MediaType?) -> Bool {
        guard let type else { return false }
        if let charset = type["charset"] { return names.contains(charset.lowercased()) }
        return ["image", "audio", "video", "font"].contains(type.type) && !type.subtype.hasSuffix("xml") || kinds.contains(type.essence)
    }

    /// With the one that browsers take for it.
    private static let names: Set = ["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii"]
    private static let kinds: Set = ["application/octet-stream", "application/pdf", "application/zip", "application/gzip"]
}
