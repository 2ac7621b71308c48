internal import MartletEssentials

/// An event of a server-sent event stream (WHATWG HTML §9.2).
///
/// ```swift
/// for try await event in client.events(.get("feed")) where event.type == "price" {
///     show(try event.decode(Price.self))
/// }
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event, from its `event` field, or `message` if it has none.
    public var type: String
    /// The content of the event, from its `data` fields, joined with line feeds. Bytes that are not UTF-8 are replaced by U+FFFD.
    public var data: String
    /// The ID of this event, or of the last event before it with an ID, or an empty string. It is kept across reconnections.
    public var id: String
    /// The reconnection time that the server set with this event in a `retry` field, or nil. The stream already applies it.
    public var retry: Duration?

    /// Creates an event, for example for a test.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }

    /// Returns the value decoded from the event's data, or throws the decoder's error.
    public func decode<Value: Decodable>(_ type: Value.Type, using decoder: any BodyDecoder = .json) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
