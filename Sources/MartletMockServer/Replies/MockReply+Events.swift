internal import MartletEssentials

extension MockReply {
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
}
