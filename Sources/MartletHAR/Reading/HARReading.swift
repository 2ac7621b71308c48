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
