internal import MartletEssentials

/// Bodies in a HAR: texts there, and base64 for what is none.
enum HARContent {
    private static let base64 = "base64"

    // MARK: Reading

    /// The body of a request: `postData`, whose `text` is base64 when `_encoding`, or `encoding`, says so.
    static func posted(_ request: HARMember) throws(HARError) -> RecordedExchange.Body {
        guard let data = try request.optional("postData") else { return .bytes(Data()) }
        if let missing = try missing(data, size: request.optional("bodySize")) { return missing }
        let type = try data.text("mimeType") ?? ""
        let params = try data.elements("params")
        let text = try data.optional("text"), isEmpty = try text?.text().isEmpty ?? true
        if let text, params.isEmpty || !isEmpty {
            let own = try data.optional("_encoding"), others = try data.optional("encoding")
            let bytes = try bytes(text, own ?? others, type)
            return try data.isTrue("_incomplete") ? .start(bytes) : .bytes(bytes)
        }
        if params.isEmpty { return .bytes(Data()) }
        // What is between the parts of a multipart body nobody knows any more.
        guard MediaType(type)?.essence == "application/x-www-form-urlencoded" else { return .missing(size: nil) }
        var pairs: [String] = []
        for param in params {
            let (name, value) = (try param.required("name").text(), try param.text("value") ?? "")
            pairs.append("\(PercentEncoding.escapeForm(name))=\(PercentEncoding.escapeForm(value))")
        }
        return .bytes(Data(pairs.joined(separator: "&").utf8))
    }

    /// The body of a response: `content`, decoded.
    static func received(_ response: HARMember, _ status: HTTPStatus, to method: HTTPMethod) throws(HARError) -> RecordedExchange.Body {
        guard let content = try response.optional("content") else { return .bytes(Data()) }
        if let missing = try missing(content, size: content.optional("size")) { return missing }
        if let text = try content.optional("text") {
            let bytes = try bytes(text, content.optional("encoding"), try content.text("mimeType") ?? "")
            return try content.isTrue("_incomplete") ? .start(bytes) : .bytes(bytes)
        }
        // Browsers have no text of what nobody sees: of a redirect, of HEAD.
        let size = try content.optional("size")?.integer() ?? 0
        let isUnseen = method == .head || status.forbidsContent || status.isRedirect
        return size > 0 && !isUnseen ? .missing(size: size) : .bytes(Data())
    }

    private static func missing(_ body: HARMember, size: HARMember?) throws(HARError) -> RecordedExchange.Body? {
        try body.isTrue("_leftOut") ? .missing(size: size?.integer()) : nil
    }

    private static func bytes(_ text: HARMember, _ encoding: HARMember?, _ type: String) throws(HARError) -> Data {
        switch try encoding?.text() ?? "" {
        case base64:
            let digits = try text.text().filter { !$0.isWhitespace }
            guard let data = Data(base64Encoded: digits) else { throw text.wrong("not base64, which its encoding says it is") }
            return data
        case "":
            let text = try text.text()
            if isLatin1(type), let bytes = text.latin1Bytes { return Data(bytes) }
            return Data(text.utf8)
        default: throw encoding?.wrong("an encoding that is not known: there is only base64") ?? text.wrong("an unknown encoding")
        }
    }

    // MARK: Writing

    /// The members of `content` that say what the body is.
    static func written(_ body: Data, type: String) -> JSONObject {
        guard let text = text(of: body, type: type) else {
            return ["text": .string(body.base64EncodedString()), "encoding": .string(base64)]
        }
        return ["text": .string(text)]
    }

    /// The members of `postData` that say what the body is. The format has no word there for what is not text, hence `_encoding`.
    static func posted(_ body: Data, type: String) -> JSONObject {
        JSONObject(written(body, type: type).map { (key: $0.key == "encoding" ? "_encoding" : $0.key, value: $0.value) })
    }

    /// The body as text; nil when text would not bring the same bytes back.
    private static func text(of body: Data, type: String) -> String? {
        guard let text = String(validUTF8: body) else { return nil }
        let isPlain = body.allSatisfy { $0 < 0x80 }
        return isPlain || !isLatin1(type) ? text : nil
    }

    /// Whether a text of this type that is not marked as base64 stands for bytes: its charset is Latin-1, or the type is not a text type,
    /// which mitmproxy writes as text if most of it is readable.
    private static func isLatin1(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        if let charset = type["charset"] { return latin1Names.contains(charset.lowercased()) }
        let isMedia = ["image", "audio", "video", "font"].contains(type.type) && !type.subtype.hasSuffix("xml")
        return isMedia || binaryTypes.contains(type.essence)
    }

    /// The names of Latin-1, and of the charset that browsers use in its place.
    private static let latin1Names: Set = ["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii"]
    private static let binaryTypes: Set = ["application/octet-stream", "application/pdf", "application/zip", "application/gzip"]
}
