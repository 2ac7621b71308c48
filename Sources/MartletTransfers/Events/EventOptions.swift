/// How an event stream is read: all that may differ from stream to stream.
public struct EventOptions: Sendable {
    /// When and how soon the connection is made again, by the client's clock and random numbers.
    public var reconnection: EventReconnection
    /// The id that the first connection tells the server as `Last-Event-ID`: where to go on. Default: empty, none.
    public var lastEventID: String
    /// How long is waited before the first connection. Default: not at all.
    public var initialDelay: Duration
    /// How long a connection may be silent before it is taken for dead and made again, or `.timeout` is thrown where nothing is sent again.
    /// Comments count as a sign of life. An idle timeout of the request itself, in its ``Endpoint/options``, goes before this one. Nil for
    /// no limit. Default: 5 minutes.
    public var idleTimeout: Duration?
    /// How many bytes a line may have; past it `.responseTooLarge(.line)`. Default: 16 MiB.
    public var maxLineBytes: Int
    /// How many bytes of data an event may have; past it `.responseTooLarge(.event)`. Default: 16 MiB.
    public var maxEventBytes: Int
    /// Which types of events are given; nil for all. Those left out count for the last event id. Default: nil.
    public var types: Set<String>?
    /// Data that ends the sequence instead of being an event, as `[DONE]` does for many services. Default: nil.
    public var endMarker: String?
    /// Whether a stream that ends without its marker is an error, `.invalidResponse`, where nothing is sent again: a connection that was
    /// cut may look like one that ended. Default: true.
    public var requiresEndMarker: Bool
    /// Whether the content type must be `text/event-stream`. Default: true.
    public var checksContentType: Bool
    /// What decodes the data of `events(_:as:options:)`. Default: nil, the client's decoder.
    public var decoder: (any BodyDecoder)?
    /// Whether `events(_:as:options:)` leaves out data that can't be decoded, and does not throw. Default: false.
    public var skipsUndecodable: Bool
    /// A handle on the stream while it is read. Default: nil.
    public var control: EventControl?
    /// The options for each connection's call.
    public var call: CallOptions

    package static let defaultLimit = 16 << 20

    /// Options, each with its default.
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
