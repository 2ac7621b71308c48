internal import MartletSystem

/// The options for reading an event stream: reconnection, time limits, size limits and decoding.
public struct EventOptions: Sendable {
    /// The rules for reconnecting: for which requests, how often, and after which waits. Default: ``EventReconnection/standard``.
    public var reconnection: EventReconnection
    /// The ID of the event after which the first connection resumes, sent as `Last-Event-ID`. Default: empty, which starts with new events.
    public var lastEventID: String
    /// The wait before the first connection. Default: zero.
    public var initialDelay: Duration
    /// The maximum time without bytes before a connection counts as broken, or nil for no limit. Default: 5 minutes.
    ///
    /// The client then reconnects, or throws `.timeout` if the request is not sent again. Comments count as bytes. The idle timeout of
    /// ``call`` takes precedence, and after it that of the request itself, in its `Endpoint.options`.
    public var idleTimeout: Duration?
    /// The maximum number of bytes in a line of the stream; a longer one throws `.responseTooLarge(.line)`. Default: 16 MiB.
    public var maxLineBytes: Int
    /// The maximum number of bytes of data in an event; a larger one throws `.responseTooLarge(.event)`. Default: 16 MiB.
    public var maxEventBytes: Int
    /// The types of events that are returned, or nil for all types. Other events are skipped, but update the last event ID. Default: nil.
    public var types: Set<String>?
    /// The data of the event that ends the sequence and is not returned, such as `[DONE]`, or nil if the stream has none. Default: nil.
    public var endMarker: String?
    /// Whether a stream that ends without its ``endMarker`` throws `.invalidResponse`, unless the request is sent again. Default: true.
    ///
    /// A truncated stream may otherwise look complete. A 204 ends the stream without an error in either case.
    public var requiresEndMarker: Bool
    /// Whether a response with a content type other than `text/event-stream` throws `.decodingFailed`. Default: true.
    public var checksContentType: Bool
    /// The decoder for the data in `events(_:as:options:)`. Default: nil, the client's decoder.
    public var decoder: (any BodyDecoder)?
    /// Whether `events(_:as:options:)` skips data that can't be decoded instead of throwing. Default: false.
    public var skipsUndecodable: Bool
    /// A handle with which other code can restart the connection while the stream is read, or nil. Default: nil.
    public var control: EventControl?
    /// The options for the call of each connection. Default: none.
    public var call: CallOptions

    static let defaultLimit = 16 << 20

    /// Creates the options for an event stream. An option that is left out has its default.
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

/// A handle to an event stream, with which code that does not read the stream can restart its connection.
///
/// ```swift
/// let control = EventControl()
/// let events = client.events(.get("feed"), options: .init(control: control))
/// // elsewhere, when the network has changed:
/// control.restart()
/// ```
///
/// Use a separate control for each stream.
public final class EventControl: Sendable {
    private let id = Locked("")
    /// The requests for a restart, which the stream's loop obeys.
    let restarts = RestartRequests()

    /// Creates a control, which a stream uses if it is passed as ``EventOptions/control``.
    public init() {}

    /// The ID of the last event received, or of a later block without data; before the first one, the ID that the options contain.
    ///
    /// Pass it to a later call to resume after that event.
    public var lastEventID: String { id.withLock { $0 } }

    /// Closes the connection, or ends the wait for one, and sends the request again immediately, even a POST, with the last event ID.
    ///
    /// It reconnects whatever ``EventReconnection/reconnects`` is, also if it is false. It has no effect unless
    /// the stream is being read. If the request has a body that can't be sent again, the stream throws `.bodyNotReplayable`.
    public func restart() { restarts.request() }

    /// Resets the control for a new iteration.
    func begin(lastEventID: String) {
        restarts.reset()
        setLastEventID(lastEventID)
    }

    func setLastEventID(_ new: String) { id.withLock { $0 = new } }
}
