package import MartletEssentials

/// Reads HAR files of any origin: this package, browsers and proxies.
///
/// Unknown members are ignored, and optional members may be missing. A value that an HTTP message can't have is an error with its place.
/// Entries that are not HTTP exchanges (`data:`, `blob:`, `ws:`) are skipped.
package enum HARReading {
    /// Returns the exchanges of a file of at most `limit` bytes, in its order.
    package static func exchanges(at file: URL, limit: Int) throws(HARError) -> [RecordedExchange] {
        let data: Data
        do {
            // The attributes of the link's target: reading a pipe or a device may never end.
            let attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw HARError.unreadable("\(file.path) is not a regular file")
            }
            if let size = attributes[.size] as? Int, size > limit { throw HARError.tooLarge(limit: limit) }
            data = try Data(contentsOf: file)
        } catch let error as HARError {
            throw error
        } catch {
            throw .unreadable(HARReading.explain(error, at: file))
        }
        return try exchanges(in: data, limit: limit)
    }

    /// Returns the exchanges in the bytes of a HAR.
    package static func exchanges(in data: Data, limit: Int) throws(HARError) -> [RecordedExchange] {
        guard data.count <= limit else { throw .tooLarge(limit: limit) }
        let root: JSONNode
        do throws(JSONSyntaxError) { root = try JSONNode(parsing: data, limits: .redaction) } catch {
            throw .malformed(reason: error.reason, line: error.position.line, column: error.position.column)
        }
        let log = try HARMember(node: root, path: "").required("log")
        let isOurs = try log.optional("creator")?.text("name") == HARWriting.creator
        var exchanges: [RecordedExchange] = []
        for (index, entry) in try log.required("entries").elements().enumerated() {
            guard var exchange = try exchange(entry, isOurs: isOurs) else { continue }
            exchange.number = index + 1
            exchanges.append(exchange)
        }
        return exchanges
    }

    /// Returns the number of exchanges in the bytes of a HAR.
    static func count(in data: Data, limit: Int) throws(HARError) -> Int { try exchanges(in: data, limit: limit).count }

    /// Describes an error of the file system briefly, because the system's descriptions are long and depend on the platform.
    package static func explain(_ error: any Error, at file: URL) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "there is no file at \(file.path)"
        case .fileReadNoPermission, .fileWriteNoPermission: "no permission for \(file.path)"
        case .fileWriteOutOfSpace: "no space left for \(file.path)"
        case .fileWriteVolumeReadOnly: "\(file.path) is on a volume that can't be written"
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "\(file.path) is not a valid file name"
        case .fileWriteFileExists: "another file exists at \(file.path)"
        case let code?: "\(file.path) can't be used (code \(code.rawValue))"
        case nil: "\(file.path): \(Redaction.line("\(error)"))"
        }
    }

    private static func exchange(_ entry: HARMember, isOurs: Bool) throws(HARError) -> RecordedExchange? {
        let request = try entry.required("request")
        let url = try request.required("url").text()
        guard url.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw try request.required("url").wrong("not a URL: it has control characters")
        }
        let scheme = url.prefix { $0 != ":" }.lowercased()
        let method = HTTPMethod(rawValue: try request.required("method").text())
        guard method.isValid else { throw try request.required("method").wrong("not an HTTP method") }
        let response = try entry.required("response")
        var exchange = RecordedExchange(method: method, url: url)
        exchange.headers = try HARFields.read(request.elements("headers"))
        exchange.requestBody = try HARContent.posted(request)
        exchange.phases = try phases(entry.optional("timings"))
        exchange.remoteAddress = try entry.text("serverIPAddress")
        exchange.failure = try failure(response)
        exchange.answer = try answer(response, to: method, isOurs: isOurs)
        if exchange.answer == nil, exchange.failure == nil { exchange.failure = RecordedFailure.error(kind: nil, words: "") }
        return scheme == "http" || scheme == "https" ? exchange : nil
    }

    private static func failure(_ response: HARMember) throws(HARError) -> HTTPError? {
        guard let words = try response.text("_error"), !words.isEmpty else { return nil }
        return RecordedFailure.error(kind: try response.text("_errorKind"), words: words)
    }

    /// Returns the response, or nil for the status 0, which means no response in all known files.
    private static func answer(_ response: HARMember, to method: HTTPMethod, isOurs: Bool) throws(HARError) -> RecordedExchange.Answer? {
        let member = try response.required("status")
        let status = try member.integer()
        if status == 0 { return nil }
        guard (100...999).contains(status) else {
            throw member.wrong("\(status) is not an HTTP status (100 to 999), nor 0 for no response")
        }
        var answer = RecordedExchange.Answer(status: HTTPStatus(rawValue: status))
        answer.version = version(try response.text("httpVersion") ?? "")
        answer.body = try HARContent.received(response, answer.status, to: method)
        answer.trailers = try HARFields.read(response.elements("_trailers"))
        let headers = try HARFields.read(response.elements("headers"))
        answer.headers = HARFields.describing(answer, headers, to: method, isOurs: isOurs)
        answer.wasContentCoded = try response.isTrue("_wasContentCoded") || HARFields.isDecoded(headers, to: answer.headers)
        return answer
    }

    private static func version(_ text: String) -> HTTPVersion? {
        switch text.lowercased() {
        case "http/1.0": .http10
        case "http/1.1": .http11
        case "http/2", "http/2.0", "h2": .http2
        case "http/3", "http/3.0", "h3": .http3
        default: nil
        }
    }

    private static func phases(_ timings: HARMember?) throws(HARError) -> RecordedExchange.Phases {
        var phases = RecordedExchange.Phases()
        guard let timings else { return phases }
        func duration(_ name: String) throws(HARError) -> Duration? {
            // Limited to a day, so that an invalid value does not become an endless wait.
            try timings.milliseconds(name).map { .microseconds(Int64(min($0, 86_400_000) * 1000)) }
        }
        phases.blocked = try duration("blocked")
        phases.lookup = try duration("dns")
        phases.connect = try duration("connect")
        phases.tls = try duration("ssl")
        phases.send = try duration("send") ?? .zero
        phases.wait = try duration("wait") ?? .zero
        phases.receive = try duration("receive") ?? .zero
        return phases
    }
}

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

extension HARFields {
    /// Reads the fields of a list. Skips HTTP/2's pseudo-header fields (`:method`), which are not fields.
    ///
    /// Browsers join lines of one name with line breaks; they are separated again. A name or value that could inject a line of another name
    /// is an error.
    static func read(_ list: [HARMember]) throws(HARError) -> HTTPFields {
        var fields: HTTPFields = [:]
        for element in list {
            let name = try element.required("name").text()
            if name.hasPrefix(":") { continue }
            guard HTTPFieldName(name).isValid else { throw try element.required("name").wrong("not a valid field name") }
            guard let value = try element.optional("value") else {
                fields.append(nameBytes: name.utf8, valueBytes: [])
                continue
            }
            let isLatin1 = try element.text("_charset")?.equalsIgnoringCase(latin1) ?? false
            guard let bytes = isLatin1 ? try value.text().latin1Bytes : Array(try value.text().utf8) else {
                throw value.wrong("not ISO-8859-1, although its _charset says so")
            }
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: bytes.contains(UInt8(ascii: "\n"))) {
                guard line.allSatisfy(Token.isFieldContent) else { throw value.wrong("a control character in the value of a field") }
                fields.append(nameBytes: name.utf8, valueBytes: line)
            }
        }
        return fields
    }

    /// Returns the fields of a response without those that describe the encoding on the wire and not the recorded content.
    ///
    /// Recordings of this package contain the fields that a transport returned after decoding. Other recordings contain the fields as sent.
    static func describing(
        _ answer: RecordedExchange.Answer, _ headers: HTTPFields, to method: HTTPMethod, isOurs: Bool
    ) -> HTTPFields {
        // Without content, the fields say what it would be.
        if method == .head || answer.status.forbidsContent { return headers }
        var headers = headers
        if !isOurs {
            headers.remove("Transfer-Encoding")
            headers.remove(.contentEncoding)
        }
        if let count = answer.body.bytes?.count, headers[.contentLength] != "\(count)" { headers.remove(.contentLength) }
        return headers
    }

    /// Returns whether a response's content coding was removed before its content was recorded: the wire fields name a coding other than
    /// `identity`, and the described fields do not.
    static func isDecoded(_ wire: HTTPFields, to described: HTTPFields) -> Bool {
        guard let coding = wire[.contentEncoding], !described.contains(.contentEncoding) else { return false }
        return coding.split(separator: ",").contains { !$0.trimmingWhitespace.equalsIgnoringCase("identity") }
    }
}
