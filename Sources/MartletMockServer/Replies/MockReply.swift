public import MartletEssentials

/// A reply of a test double: a response, possibly slow or in pieces, or one of many kinds of failure.
///
/// ```swift
/// let replies: [MockReply] = [
///     .json(#"{"id": 1}"#),
///     .status(503, headers: [.retryAfter: "2"]),
///     .data(image, contentType: "image/png").delayed(by: .milliseconds(200)),
///     .disconnect,
/// ]
/// ```
///
/// `MockTransport` creates a response from it in memory, and `MockServer` writes it to a socket. The members document where the two differ.
/// A reply is a value and can be used any number of times.
public struct MockReply: Sendable {
    package enum Kind: Sendable {
        case response
        case failure(HTTPError)
        case raw(Data)
        case silence
        // Indirect, so that other replies stay small.
        indirect case webSocket(WebSocketScript)
    }

    package enum Content: Sendable {
        case data(Data)
        /// Each piece is written, and received by readers, separately.
        case pieces([Data])
        case stream(@Sendable () -> HTTPBody)
    }

    struct Interim: Sendable {
        let status: HTTPStatus
        let headers: HTTPFields
    }

    package struct Disconnect: Sendable {
        package enum Moment: Sendable {
            case withinHead(after: Int)
            case withinBody(after: Int)
        }

        package let moment: Moment
        let isReset: Bool

        /// The number of bytes of the body before the connection breaks, or nil if it does not break within the body.
        package var bodyBytes: Int? { if case .withinBody(let after) = moment { after } else { nil } }
    }

    /// The status of the response.
    public var status: HTTPStatus
    /// The header fields of the response. `MockServer` adds `Content-Length` or `Transfer-Encoding` unless one of them is present.
    public var headers: HTTPFields
    /// The trailer fields that follow the body.
    public internal(set) var trailers: HTTPFields = [:]

    package var kind: Kind
    package var content: Content
    var interims: [Interim] = []
    package var delays = Delays()
    package var disconnect: Disconnect?
    var isClosing = false
    var isDelimitedByClose = false
    var isBeforeBody = false
    var isEcho = false
    var stall: Stall?
    var drip: Drip?
    var unsolicited: Unsolicited?
    /// The faults of this reply, in place of those of the double.
    var faults: FaultPlayer?

    package struct Delays: Sendable {
        package var head = Duration.zero
        package var body = Duration.zero
        package var piece = Duration.zero
    }

    package init(_ kind: Kind = .response, status: HTTPStatus = 200, headers: HTTPFields = [:], content: Content = .data(Data())) {
        self.kind = kind
        self.status = status
        self.headers = headers
        self.content = content
    }

    // MARK: Responses

    /// Returns a reply with this text as a JSON body, without checking it. `Content-Type` is `application/json` unless `headers` set it.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        data(Data(text.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// Returns a reply with this status and no body.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:]) -> MockReply {
        MockReply(status: status, headers: headers)
    }

    /// Returns a reply with bytes as the body. A `Content-Type` in `headers` takes precedence over `contentType`.
    public static func data(
        _ data: Data, contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> MockReply {
        var headers = headers
        if let contentType { headers.addMissing([.contentType: contentType]) }
        return MockReply(status: status, headers: headers, content: .data(data))
    }

    /// Returns a reply with a text in UTF-8 as the body. `Content-Type` is `text/plain; charset=utf-8` unless `headers` set it.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Returns a reply whose body arrives in these pieces, one after the other. `MockServer` sends one chunk for each piece (RFC 9112
    /// §7.1).
    public static func stream(_ pieces: [Data], status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        MockReply(status: status, headers: headers, content: .pieces(pieces.filter { !$0.isEmpty }))
    }

    /// Returns a reply whose body arrives in these pieces of text.
    public static func stream(_ pieces: String..., status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        stream(pieces, status: status, headers: headers)
    }

    /// Returns a reply whose body arrives in these pieces of text.
    @_disfavoredOverload
    public static func stream(_ pieces: [String], status: HTTPStatus = 200, headers: HTTPFields = [:]) -> MockReply {
        stream(pieces.map { Data($0.utf8) }, status: status, headers: headers)
    }

    /// Returns a reply whose body a closure creates for each use, and which is produced while it is read.
    ///
    /// `MockServer` requests the next chunk when the last one has been passed to the socket, so that a client that does not read stops it.
    /// If the body throws an error, the connection breaks.
    public static func stream(
        status: HTTPStatus = 200, headers: HTTPFields = [:], body: @escaping @Sendable () -> HTTPBody
    ) -> MockReply {
        MockReply(status: status, headers: headers, content: .stream(body))
    }

    // MARK: No response

    /// Returns a reply with which a `MockTransport` throws an error in place of a response; `MockServer` responds with a 500 that says so.
    public static func failure(_ error: HTTPError) -> MockReply { MockReply(.failure(error)) }

    /// Closes the connection without a response. A `MockTransport` throws `.networkError(.connectionLost)`.
    public static var disconnect: MockReply { MockReply().disconnecting(afterHeadBytes: 0) }

    /// Resets the connection (RST) without a response. A `MockTransport` throws `.networkError(.connectionLost)`.
    public static var reset: MockReply { MockReply().disconnecting(afterHeadBytes: 0, reset: true) }

    /// Sends nothing for as long as the client waits. A `MockTransport` waits until its task is cancelled.
    public static var silence: MockReply { MockReply(.silence) }

    /// Writes these bytes to the socket in place of a response, and then closes the connection; only for `MockServer`.
    ///
    /// A `MockTransport` throws `.invalidRequest`.
    public static func raw(_ bytes: Data) -> MockReply { MockReply(.raw(bytes)) }

    /// Writes this text to the socket in place of a response, and then closes the connection; only for `MockServer`.
    ///
    /// A `MockTransport` throws `.invalidRequest`.
    public static func raw(_ text: String) -> MockReply { raw(Data(text.utf8)) }

    // MARK: Events

    /// Returns a reply with these server-sent events (WHATWG HTML §9.2) as `text/event-stream`, each in its own piece, after which the
    /// stream ends.
    ///
    /// ```swift
    /// server.on(.get("/prices"), .events([#"{"amount":1}"#, #"{"amount":2}"#]))
    /// server.on(.get("/feed"), .events([.init("1", type: "price", id: "7"), "2"]).piecesDelayed(by: .milliseconds(30)))
    /// ```
    ///
    /// - Parameters:
    ///   - events: The events. A string literal is an event with only data.
    ///   - headers: Additional fields. A `Content-Type` replaces the default.
    public static func events(_ events: [Event], headers: HTTPFields = [:]) -> MockReply {
        var headers = headers
        headers.addMissing([.contentType: "text/event-stream"])
        return stream(events.map(\.text), headers: headers)
    }

    /// Returns a reply with server-sent events that have only these data, after which the stream ends. See ``events(_:headers:)``.
    @_disfavoredOverload
    public static func events(_ data: [String], headers: HTTPFields = [:]) -> MockReply {
        events(data.map { Event($0) }, headers: headers)
    }

    /// One server-sent event of a reply made with `MockReply.events(_:headers:)`.
    public struct Event: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        /// The content of the event, of which each line is sent in a `data` field of its own.
        public var data: String
        /// The type of the event, sent in the `event` field, or nil to omit the field, so that clients see the type `message`.
        public var type: String?
        /// The ID of the event, sent in the `id` field, or nil to omit the field.
        public var id: String?
        /// The reconnection time, sent in the `retry` field in whole milliseconds, or nil to omit the field.
        public var retry: Duration?

        /// Creates an event, by default with only data.
        public init(_ data: String, type: String? = nil, id: String? = nil, retry: Duration? = nil) {
            self.data = data
            self.type = type
            self.id = id
            self.retry = retry
        }

        /// Creates an event that has only data.
        public init(stringLiteral data: String) { self.init(data) }

        /// The event as it is sent, with the empty line that ends it.
        package var text: String {
            var lines: [String] = []
            if let type { lines.append("event: \(type)") }
            if let id { lines.append("id: \(id)") }
            if let retry { lines.append("retry: \(Int(retry / .milliseconds(1)))") }
            // Event streams have no other line endings (WHATWG HTML §9.2.5).
            lines += data.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }.map { "data: \($0)" }
            return lines.map { $0 + "\n" }.joined() + "\n"
        }
    }

    // MARK: Changes

    /// Returns the reply with a delay before its head, measured by the time source of the test double.
    public func delayed(by duration: Duration) -> MockReply { changed { $0.delays.head = duration } }

    /// Returns the reply with a delay between its head and its body. A `MockTransport` that buffers waits before it returns the response.
    public func bodyDelayed(by duration: Duration) -> MockReply { changed { $0.delays.body = duration } }

    /// Returns the reply with a delay before each piece of its body except the first.
    public func piecesDelayed(by duration: Duration) -> MockReply { changed { $0.delays.piece = duration } }

    /// Returns the reply with its body in pieces of these sizes in bytes, of which the last is repeated until the body ends.
    ///
    /// `MockServer` sends one chunk for each piece (RFC 9112 §7.1). A body that is created while it is read is not changed.
    public func chunked(_ sizes: Int...) -> MockReply { chunked(sizes) }

    /// Returns the reply with its body in pieces of these sizes in bytes, of which the last is repeated until the body ends.
    public func chunked(_ sizes: [Int]) -> MockReply {
        changed { reply in
            guard let whole = reply.wholeContent else { return }
            var pieces: [Data] = []
            var rest = whole[...]
            while !rest.isEmpty {
                let size = pieces.count < sizes.count ? sizes[pieces.count] : sizes.last ?? rest.count
                pieces.append(Data(rest.prefix(max(1, size))))
                rest = rest.dropFirst(max(1, size))
            }
            reply.content = .pieces(pieces)
        }
    }

    /// Returns the reply with trailer fields after its body, which is then sent in chunks (RFC 9112 §7.1.2).
    public func trailers(_ fields: HTTPFields) -> MockReply { changed { $0.trailers = fields } }

    /// Returns the reply with an interim response before it, with the status 100, 102 or 103 (RFC 9110 §15.2). A `MockTransport` omits it.
    public func precededBy(_ status: HTTPStatus, headers: HTTPFields = [:]) -> MockReply {
        changed { $0.interims.append(Interim(status: status, headers: headers)) }
    }

    /// Returns the reply with a connection that is closed after this number of bytes of the response's head, or reset (RST) if `reset` is
    /// true. A `MockTransport` throws `.networkError(.connectionLost)`.
    public func disconnecting(afterHeadBytes count: Int, reset: Bool = false) -> MockReply {
        changed { $0.disconnect = Disconnect(moment: .withinHead(after: max(0, count)), isReset: reset) }
    }

    /// Returns the reply with a connection that is closed after the head and this number of bytes of the body, or reset (RST) if `reset` is
    /// true. `MockTransport` counts bytes of the content, `MockServer` bytes written to the socket, including the framing of chunks.
    ///
    /// A `MockTransport` throws `.networkError(.connectionLost)`. A streamed body returns its first bytes before the error.
    public func disconnecting(afterBodyBytes count: Int, reset: Bool = false) -> MockReply {
        changed { $0.disconnect = Disconnect(moment: .withinBody(after: max(0, count)), isReset: reset) }
    }

    /// Returns a reply that `MockServer` sends with `Connection: close` before it closes the connection. A `MockTransport` ignores this.
    public func closingConnection() -> MockReply { changed { $0.isClosing = true } }

    /// Returns the reply without `Content-Length` and chunks, so that the end of the connection ends the body (RFC 9112 §6.3).
    public func delimitedByClose() -> MockReply { changed { $0.isDelimitedByClose = true } }

    /// Returns the reply for sending as soon as the request's head has arrived, without reading the request's body. The body is not
    /// recorded, and the connection is closed.
    ///
    /// For enqueued replies of a `MockServer`, and for routes whose matcher does not compare the body. A handler is called only with the
    /// complete request.
    public func beforeBody() -> MockReply { changed { $0.isBeforeBody = true } }

    /// Returns the reply for sending as soon as the request's head has arrived. Its content is followed by each part of the request's body
    /// as it arrives, in a chunk, and at the end by the request's trailers. `MockServer` only.
    package func echoingBody() -> MockReply {
        changed {
            $0.isBeforeBody = true
            $0.isEcho = true
        }
    }

    /// The content if it is in memory, or nil.
    var wholeContent: Data? {
        switch content {
        case .data(let data): data
        case .pieces(let pieces): pieces.reduce(into: Data()) { $0.append($1) }
        case .stream: nil
        }
    }

    func changed(_ change: (inout MockReply) -> Void) -> MockReply {
        var reply = self
        change(&reply)
        return reply
    }
}
