internal import MartletClient
internal import MartletEssentials

/// Formats log entries. All lines of an entry after the first are indented, so that text from outside cannot imitate an entry.
struct LogText: Sendable {
    let detail: LogDetail
    /// The maximum number of bytes of a body that are shown.
    let maxBodyBytes: Int

    /// Returns the number of bytes of a body to read. JSON is read completely, because its secrets are found by its structure.
    static func reach(_ maxBodyBytes: Int, _ headers: HTTPFields) -> Int {
        let isOther = headers[.contentType].map { MediaType($0)?.isJSON != true } ?? false
        return isOther ? maxBodyBytes + 1 : max(maxBodyBytes, Redaction.maxJSONLength) + 1
    }

    /// - Parameter call: The call of an observer, or nil.
    func request(_ request: HTTPRequest, of call: CallInfo? = nil, body: Data?) -> String {
        entry(["→ \(named(request, call))"] + lines(request.headers) + content(body, request.headers, of: request.body))
    }

    /// - Parameters:
    ///   - call: The call of an observer, or nil.
    ///   - head: The head of a valid response that contains the failure, or nil.
    ///   - body: Returns the body that arrived with that head.
    func failure(
        _ error: HTTPError, to request: HTTPRequest?, of call: CallInfo? = nil, after time: Duration, in head: HTTPResponse<Void>? = nil,
        body: (HTTPResponse<Void>) -> LoggedBody? = { _ in nil }
    ) -> String {
        var content = (call == nil ? nil : error.response).map { lines($0.headers) + received($0.body, $0.headers, isAll: true) } ?? []
        if let head {
            let body = body(head)
            content = lines(head.headers) + (body.map { received($0.start, head.headers, isAll: $0.count == $0.start.count) } ?? [])
        }
        let facts = [time.shortText, head.map { "\($0.status)" }].compactMap(\.self).joined(separator: ", ")
        return entry(["✗ \(named(request, call)) (\(facts)): \(detail.text(of: error))"] + steps(error.trace) + content)
    }

    /// Returns the text for a request as the transport gets it.
    func attempt(_ number: Int, _ request: HTTPRequest, body: Data?) -> String {
        entry(["→ attempt \(number): \(named(request))"] + lines(request.headers) + content(body, request.headers, of: request.body))
    }

    /// Returns the text for the head of the response to an attempt.
    func head(_ head: HTTPResponse<Void>, of attempt: Int, after time: Duration) -> String {
        entry(["← attempt \(attempt): \(head.status) (\(time.shortText))"] + lines(head.headers))
    }

    /// Returns the text for an attempt without a response.
    func failure(of attempt: CallTrace.Attempt, _ outcome: CallTrace.Outcome, after time: Duration) -> String {
        entry(["✗ attempt \(attempt.number) (\(time.shortText)): \(detail.text(of: outcome))"])
    }

    /// Returns the text for the head of a streamed response.
    func head(_ head: HTTPResponse<Void>, to request: HTTPRequest?, of call: CallInfo, after time: Duration) -> String {
        let facts = [time.shortText, head.metadata.version?.rawValue].compactMap(\.self).joined(separator: ", ")
        return entry(["… \(head.status) \(named(request, call)) (\(facts))"] + lines(head.headers))
    }

    /// Returns the text for the end of a call or of an exchange, with its last response if it has one.
    ///
    /// - Parameters:
    ///   - call: The call of an observer, or nil.
    ///   - length: The number of bytes that arrived, or nil if it is not known.
    ///   - body: The start of the body, or nil if it is not shown.
    ///   - rejection: The error of a rejected status, or nil.
    func end(
        _ head: HTTPResponse<Void>?, to request: HTTPRequest?, of call: CallInfo?, after time: Duration, length: Int?, body: Data?,
        rejection: HTTPError? = nil
    ) -> String {
        // Appended part by part, with 12,000 instructions; a list of parts took 29,000. Each call has this entry.
        var line = "← "
        line.reserveCapacity(160)
        if let status = head?.status { line += status.description + " " }
        line += named(request, call)
        line += " ("
        line += time.shortText
        if let version = head?.metadata.version { line += ", " + version.rawValue }
        if let length { line += ", " + String(length) + " bytes" }
        let attempts = detail == .outline ? head?.metadata.request?.context.record?.count ?? 0 : 0
        if attempts > 1 { line += ", " + String(attempts) + " attempts" }
        line += ")"
        // The parts of an outline are made visible one by one, and most are kept so.
        if detail == .outline { return line }
        let explanation = rejection.map(detail.explanation(ofStatus:)) ?? ""
        if !explanation.isEmpty { line += ": " + explanation }
        let content = body.map { received($0, head?.headers ?? [:], isAll: length == $0.count) } ?? []
        return entry([line] + (head.map { steps($0) } ?? []) + (head.map { lines($0.headers) } ?? []) + content)
    }

    func streamed(_ start: Data, _ headers: HTTPFields, of request: HTTPRequest?, in call: CallInfo) -> String {
        entry([
            "… \(named(request, call)), the start of the stream:",
            shown(start, headers, isAll: start.count < LogText.reach(maxBodyBytes, headers)),
        ])
    }

    /// Returns the text for a message of a WebSocket, with the start of its content if bodies are shown.
    func message(_ message: CallMessage) -> String {
        let kind = message.isText ? "text" : "data", count = message.content.count
        return entry(
            ["\(message.direction == .sent ? "→" : "←") message: \(kind), \(count) \(count == 1 ? "byte" : "bytes")"]
                + received(message.content, [:], isAll: true))
    }

    /// Returns the request with its URL and GraphQL operations, or the name of the call if it has no request.
    private func named(_ request: HTTPRequest?, _ call: CallInfo?) -> String {
        guard let request else { return call.map { Redaction.line($0.name) } ?? "" }
        // All GraphQL operations have the same URL. An outline has their names anyway.
        guard detail != .outline, let call, call.kind == .graphQL else { return named(request) }
        return "\(named(request)) \(Redaction.line(call.name))"
    }

    /// Returns the request with its URL, or only its method, origin and name.
    private func named(_ request: HTTPRequest) -> String {
        detail == .outline ? RedactedNames.outline(of: request) : "\(request)"
    }

    private func entry(_ lines: [String]) -> String {
        lines.map { line in
            let line = LogText.visible(line)
            return line.utf8.contains(UInt8(ascii: "\n")) ? line.replacing("\n", with: "\n  ") : line
        }.joined(separator: "\n  ")
    }

    private func lines(_ fields: HTTPFields) -> [String] { detail < .headers ? [] : fields.map(\.description) }

    /// Returns the steps of the call with this response.
    private func steps(_ head: HTTPResponse<Void>) -> [String] { detail < .basic ? [] : steps(head.trace) }

    /// Returns the steps of a call, unless it has a single attempt and the entry says all about it.
    private func steps(_ trace: CallTrace) -> [String] {
        guard detail >= .basic, trace.attempts.count > 1 || trace.steps.contains(where: LogText.explains) else { return [] }
        return trace.steps.map { detail.text(of: $0) }
    }

    /// Whether a step explains the outcome of its call.
    private static func explains(_ step: CallTrace.Step) -> Bool {
        switch step.kind {
        case .attempt: false
        // That a cache had no response explains nothing, nor that a 404 or a cancelled call is not sent again.
        case .cache(let status): status.isFromCache
        case .retry(let retry): retry.wait != nil || !isFinal(retry.outcome)
        default: true
        }
    }

    /// Whether an outcome is final in itself, whatever a retry policy says.
    private static func isFinal(_ outcome: CallTrace.Outcome) -> Bool {
        switch outcome {
        case .status(let status): status.kind == .clientError && ![.requestTimeout, .tooManyRequests].contains(status)
        case .cancelled: true
        default: false
        }
    }

    private func content(_ start: Data?, _ headers: HTTPFields, of body: HTTPBody?) -> [String] {
        guard detail == .bodies, let body, body.length != 0 else { return [] }
        guard let start else { return ["[\(body)]"] }
        return [shown(start, headers, isAll: body.length == Int64(start.count) || start.count < LogText.reach(maxBodyBytes, headers))]
    }

    private func received(_ start: Data, _ headers: HTTPFields, isAll: Bool) -> [String] {
        guard detail == .bodies, maxBodyBytes > 0, !start.isEmpty else { return [] }
        let reach = LogText.reach(maxBodyBytes, headers)
        return [shown(start.prefix(reach), headers, isAll: isAll && start.count <= reach)]
    }

    private func shown(_ start: Data, _ headers: HTTPFields, isAll: Bool) -> String {
        guard !headers.contains(.contentEncoding) else { return "[a body with a content coding]" }
        return Redaction.body(start, type: headers[.contentType], limit: maxBodyBytes, isStart: !isAll)
    }

    /// Returns a text in which control characters, which could control a terminal, are escaped. Line ends and tabs stay.
    static func visible(_ text: String) -> String {
        let isHidden = { (scalar: Unicode.Scalar) in Redaction.isControl(scalar) && scalar != "\n" && scalar != "\t" }
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += isHidden($1) ? $1.escaped(asASCII: true) : String($1) }
    }
}
