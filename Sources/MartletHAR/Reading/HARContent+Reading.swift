internal import MartletEssentials

extension HARContent {
    /// Reads a request body from `postData`. Its `text` is base64 if `_encoding` or `encoding` says so.
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
        // The parts of a multipart body can't be restored, because the bytes between them are not in the file.
        guard MediaType(type)?.essence == "application/x-www-form-urlencoded" else { return .missing(size: nil) }
        var pairs: [String] = []
        for param in params {
            let (name, value) = (try param.required("name").text(), try param.text("value") ?? "")
            pairs.append("\(PercentEncoding.escapeForm(name))=\(PercentEncoding.escapeForm(value))")
        }
        return .bytes(Data(pairs.joined(separator: "&").utf8))
    }

    /// Reads a response body from `content` and decodes it.
    static func received(_ response: HARMember, _ status: HTTPStatus, to method: HTTPMethod) throws(HARError) -> RecordedExchange.Body {
        guard let content = try response.optional("content") else { return .bytes(Data()) }
        if let missing = try missing(content, size: content.optional("size")) { return missing }
        if let text = try content.optional("text") {
            let bytes = try bytes(text, content.optional("encoding"), try content.text("mimeType") ?? "")
            return try content.isTrue("_incomplete") ? .start(bytes) : .bytes(bytes)
        }
        // Browsers do not record bodies that are not shown, such as those of redirects and HEAD.
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
            guard let data = Data(base64Encoded: digits) else { throw text.wrong("not base64, although its encoding says so") }
            return data
        case "":
            let text = try text.text()
            if isLatin1(type), let bytes = text.latin1Bytes { return Data(bytes) }
            return Data(text.utf8)
        default: throw encoding?.wrong("an unknown encoding: only base64 is supported") ?? text.wrong("an unknown encoding")
        }
    }
}
