internal import MartletEssentials

/// One event of a stream (WHATWG HTML §9.2).
///
/// ```swift
/// for try await event in client.events(.get("feed")) where event.type == "price" {
///     show(try event.decode(Price.self))
/// }
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is (`event`). Default: `message`.
    public var type: String
    /// The content: the lines of `data`, joined with line feeds. Bytes that are no UTF-8 have become replacement characters.
    public var data: String
    /// The id of this event, or of the last one before it that had one; empty when none had. It outlasts reconnections.
    public var id: String
    /// The reconnection time that the server set along with this event (`retry`); nil when it set none. It is in force already.
    public var retry: Duration?

    /// An event, each part but the content with its default.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }

    /// A value from the event's data. Throws what the decoder throws.
    public func decode<Value: Decodable>(_ type: Value.Type, using decoder: any BodyDecoder = .json) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
