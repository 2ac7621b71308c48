internal import MartletEssentials
internal import MartletJSON
internal import MartletMockServer
internal import MartletSystem

/// What the server of the page sends: the files of the page, and calls or a recording (Documentation/InspectorFormat.md).
final class InspectorSite: Sendable {
    enum Content: Sendable {
        case live(CallLog)
        case recording(name: String, Data)
    }

    private let content: Content
    private let app: String
    private let redaction: CassetteRedaction
    private let token: String
    private let port = Locked(0)

    init(_ content: Content, app: String, redaction: CassetteRedaction, random: any RandomSource = SystemRandom()) {
        self.content = content
        self.app = app
        self.redaction = redaction
        token = (0..<3).map { _ in format16(random.next()) }.joined()
    }

    /// Starts the server. Returns it with the address of the page.
    func start(limits: ConnectionLimits, time: any TimeSource = .system) async throws(InspectorError) -> (MockServer, URL) {
        var options = MockServer.Options()
        options.limits = limits
        options.time = time
        options.keepsRequests = false
        options.headBytes = 16 * 1024
        options.bodyBytes = 1024
        do throws(HTTPError) {
            let server = try await MockServer.start(options: options) { request in self.reply(to: request) }
            port.withLock { $0 = server.port }
            guard let url = URL(string: "http://127.0.0.1:\(server.port)/\(token)/") else { throw .invalidURL("\(server.url)") }
            return (server, url)
        } catch { throw .notStarted(error.description) }
    }

    // MARK: Replies

    private func reply(to request: RecordedRequest) -> MockReply {
        guard isAllowed(request) else { return text("Refused\n", status: 403) }
        let path = request.target.prefix { $0 != "?" }.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard path.count == 3, path[0].isEmpty, isToken(path[1]) else { return text("Not found\n", status: 404) }
        let name = String(path[2])
        switch (request.method, name) {
        case (.post, "clear"):
            if case .live(let log) = content { log.clear() }
            return reply(status: 204)
        case (.get, "calls"): return json(calls)
        case (.get, "events"): return events()
        case (.get, "har"): return har
        case (.get, _): return call(name) ?? file(name) ?? text("Not found\n", status: 404)
        default: return text("Not found\n", status: 404)
        }
    }

    /// Refuses other hosts (DNS rebinding), and other origins and sites.
    private func isAllowed(_ request: RecordedRequest) -> Bool {
        let port = port.withLock { $0 }
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard request.headers.count(where: { $0.name == .host }) == 1, let host = request.headers[.host], hosts.contains(host) else {
            return false
        }
        if let origin = request.headers["Origin"], !hosts.contains(where: { origin == "http://\($0)" }) { return false }
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" { return false }
        return true
    }

    /// Compares the token in constant time.
    private func isToken(_ text: Substring) -> Bool {
        let text = Array(text.utf8), token = Array(token.utf8)
        return text.count == token.count && zip(text, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private var calls: JSONValue {
        var members: JSONObject = ["version": .integer(1), "app": .string(app), "recording": .null, "calls": .array([])]
        switch content {
        case .live(let log):
            let writer = CallMembers(redaction: redaction)
            members["limits"] = .object(["calls": .integer(Int64(log.limits.calls)), "bytes": .integer(Int64(log.limits.bytes))])
            members["calls"] = .array(JSONArray(log.snapshot.calls.map { writer.value(of: $0, hasBodies: false) }))
        case .recording(let name, _): members["recording"] = .string(name)
        }
        return .object(members)
    }

    private func call(_ name: String) -> MockReply? {
        guard name.hasPrefix("calls/"), case .live(let log) = content, let id = UInt64(name.dropFirst(6)), let call = log.call(id) else {
            return nil
        }
        return json(CallMembers(redaction: redaction).value(of: call, hasBodies: true))
    }

    private var har: MockReply {
        switch content {
        case .live(let log): reply(type: "application/json", log.har(redaction: redaction))
        case .recording(_, let data): reply(type: "application/json", data)
        }
    }

    /// For a recording, events without content: the browser would report a missing file.
    private func events() -> MockReply {
        let log = if case .live(let log) = content { log } else { CallLog(limits: .init(calls: 1, bytes: 0, bodyBytes: 0)) }
        let writer = CallMembers(redaction: redaction)
        // Subscribed before the head is sent: the page loads the calls after it.
        let feed = EventFeed(log, writer)
        return .stream(headers: InspectorSite.fields(type: "text/event-stream")) { HTTPBody(reader: feed) }
    }

    private func file(_ name: String) -> MockReply? {
        PageFiles.file(name.isEmpty ? "index.html" : name).map { reply(type: $0.type, $0.bytes) }
    }

    // MARK: Making

    private func json(_ value: JSONValue) -> MockReply { reply(type: "application/json", Data(JSONText.line(value).utf8)) }

    private func text(_ text: String, status: HTTPStatus) -> MockReply { reply(type: "text/plain", Data(text.utf8), status: status) }

    private func reply(type: String? = nil, _ body: Data = Data(), status: HTTPStatus = 200) -> MockReply {
        .data(body, status: status, headers: InspectorSite.fields(type: type))
    }

    private static func fields(type: String?) -> HTTPFields {
        var fields: HTTPFields = [
            "Content-Security-Policy":
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
        ]
        if let type { fields[.contentType] = "\(type); charset=utf-8" }
        return fields
    }
}

/// Returns a number as 16 hexadecimal digits.
private func format16(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
