internal import MartletEssentials

/// An event of a server-sent event stream (WHATWG HTML §9.2).
///
/// ```swift
/// for try await event in client.events(.get("feed")) where event.type == "price" {
///     show(try event.decode(Price.self))
/// }
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event (`event`). Default: `message`.
    public var type: String
    /// The content: the lines of `data`, joined with line feeds. Bytes that are not UTF-8 are replaced by U+FFFD.
    public var data: String
    /// The ID of this event, or of the last event before it with an ID. It is kept across reconnections. Empty if no event had an ID.
    public var id: String
    /// The reconnection time that the server set with this event (`retry`), or nil. The stream already applies it.
    public var retry: Duration?

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }

    /// Returns the event's data, decoded as a value. Throws the decoder's error.
    public func decode<Value: Decodable>(_ type: Value.Type, using decoder: any BodyDecoder = .json) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
