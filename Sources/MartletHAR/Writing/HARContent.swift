import MartletEssentials

/// Bodies in a HAR: as text, or as base64 if they are not text.
enum HARContent {
    /// The name of the encoding of bodies that are not text.
    static let base64 = "base64"

    /// Returns the members of `content` for a body.
    static func written(_ body: Data, type: String) -> JSONObject {
        guard let text = text(of: body, type: type) else {
            return ["text": .string(body.base64EncodedString()), "encoding": .string(base64)]
        }
        return ["text": .string(text)]
    }

    /// Returns the members of `postData` for a body. The format has no member for bodies that are not text, hence `_encoding`.
    static func posted(_ body: Data, type: String) -> JSONObject {
        JSONObject(written(body, type: type).map { (key: $0.key == "encoding" ? "_encoding" : $0.key, value: $0.value) })
    }

    /// Returns the body as text. Nil if the text can't be converted back to the same bytes.
    private static func text(of body: Data, type: String) -> String? {
        guard let text = String(validUTF8: body) else { return nil }
        let isPlain = body.allSatisfy { $0 < 0x80 }
        return isPlain || !isLatin1(type) ? text : nil
    }

    /// Whether text of this type that is not marked as base64 stands for bytes: its charset is Latin-1, or the type is not a text type.
    /// Such types are written as text by mitmproxy if most of the bytes are readable.
    static func isLatin1(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        if let charset = type["charset"] { return latin1Names.contains(charset.lowercased()) }
        let isMedia = ["image", "audio", "video", "font"].contains(type.type) && !type.subtype.hasSuffix("xml")
        return isMedia || binaryTypes.contains(type.essence)
    }

    /// The names of Latin-1, and of the charset that browsers use instead.
    private static let latin1Names: Set = ["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii"]
    private static let binaryTypes: Set = ["application/octet-stream", "application/pdf", "application/zip", "application/gzip"]
}
