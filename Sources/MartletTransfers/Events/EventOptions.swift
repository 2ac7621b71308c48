/// The options for reading an event stream.
public struct EventOptions: Sendable {
    /// Whether and when the client reconnects, by its clock and random numbers. Default: ``EventReconnection/standard``.
    public var reconnection: EventReconnection
    /// The ID after which the first connection resumes, sent as `Last-Event-ID`. Default: empty, none.
    public var lastEventID: String
    /// The wait before the first connection. Default: zero.
    public var initialDelay: Duration
    /// The maximum time without bytes before a connection counts as broken. Nil removes the limit. Default: 5 minutes.
    ///
    /// The client then reconnects, or throws `.timeout` if the request is not sent again. Comments count as bytes. An idle timeout of the
    /// request itself, in its `Endpoint.options`, takes precedence.
    public var idleTimeout: Duration?
    /// The maximum number of bytes in a line. A longer line throws `.responseTooLarge(.line)`. Default: 16 MiB.
    public var maxLineBytes: Int
    /// The maximum number of bytes of data in an event. A larger event throws `.responseTooLarge(.event)`. Default: 16 MiB.
    public var maxEventBytes: Int
    /// The types of events that are returned. Other events are skipped, but update the last event ID. Default: nil, all types.
    public var types: Set<String>?
    /// The data that marks the end of the stream, such as `[DONE]`. It ends the sequence and is not returned as an event. Default: nil.
    public var endMarker: String?
    /// Whether a stream that ends without its end marker throws `.invalidResponse` if the request is not sent again. Default: true.
    ///
    /// A truncated stream may otherwise look complete.
    public var requiresEndMarker: Bool
    /// Whether the content type must be `text/event-stream`. Default: true.
    public var checksContentType: Bool
    /// The decoder for the data in `events(_:as:options:)`. Default: nil, the client's decoder.
    public var decoder: (any BodyDecoder)?
    /// Whether `events(_:as:options:)` skips data that can't be decoded instead of throwing. Default: false.
    public var skipsUndecodable: Bool
    /// A handle to the stream while it is read. Default: nil.
    public var control: EventControl?
    /// The options for the call of each connection. Default: none.
    public var call: CallOptions

    package static let defaultLimit = 16 << 20

    /// Creates options. An option that is left out has its default.
    public init(
        reconnection: EventReconnection = .standard, lastEventID: String = "", initialDelay: Duration = .zero,
        idleTimeout: Duration? = .seconds(300), maxLineBytes: Int = 16 << 20, maxEventBytes: Int = 16 << 20, types: Set<String>? = nil,
        endMarker: String? = nil, requiresEndMarker: Bool = true, checksContentType: Bool = true, decoder: (any BodyDecoder)? = nil,
        skipsUndecodable: Bool = false, control: EventControl? = nil, call: CallOptions = CallOptions()
    ) {
        self.reconnection = reconnection
        self.lastEventID = lastEventID
        self.initialDelay = initialDelay
        self.idleTimeout = idleTimeout
        self.maxLineBytes = maxLineBytes
        self.maxEventBytes = maxEventBytes
        self.types = types
        self.endMarker = endMarker
        self.requiresEndMarker = requiresEndMarker
        self.checksContentType = checksContentType
        self.decoder = decoder
        self.skipsUndecodable = skipsUndecodable
        self.control = control
        self.call = call
    }
}
