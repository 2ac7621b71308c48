public import MartletClient
public import MartletWebSocketProtocol

/// The options of a WebSocket connection.
///
/// ```swift
/// var options = WebSocketOptions()
/// options.pingInterval = .seconds(10)
/// options.limits.messageBytes = 1 << 20
/// let socket = try await client.webSocket(.get("chat"), options: options)
/// ```
public struct WebSocketOptions: Sendable {
    /// The options of the call that opens the connection. Its timeout and those of the client apply up to the end of the handshake.
    public var call: CallOptions
    /// The maximum sizes of received frames and messages. Default: 16 MiB each.
    public var limits: WebSocketLimits
    /// The compression to offer to the server (RFC 7692), or nil for none. Default: nil.
    ///
    /// Do not compress secrets together with text that an attacker chooses: the length of a message then tells about the secret.
    public var compression: WebSocketCompression?
    /// The maximum number of received messages that wait to be read. Default: 1,000.
    ///
    /// When so many wait, or ``maxQueuedBytes`` are exceeded, nothing more is received, and the server cannot send more than the system's
    /// buffers hold.
    public var maxQueuedMessages: Int
    /// The number of bytes in waiting messages from which on nothing more is received. Default: 1 MiB.
    public var maxQueuedBytes: Int
    /// The maximum number of bytes that may wait to be written before `send` waits too. Default: 64 KiB.
    ///
    /// Messages that are sent in rapid succession are written together. With 0, each `send` returns when the system has accepted the
    /// message. Over URLSession it has no effect: each `send` waits.
    public var maxUnsentBytes: Int
    /// The time between pings that keep the connection alive and notice its loss, or nil or zero for none. Default: 30 seconds.
    public var pingInterval: Duration?
    /// The maximum time until the pong of such a ping, before the connection fails with `.timeout`. Default: 20 seconds.
    ///
    /// The time does not count while nothing is received because messages wait to be read.
    public var pongTimeout: Duration
    /// The maximum time that ``WebSocket/close(code:reason:)`` waits for the server's Close frame. Default: 5 seconds.
    public var closeTimeout: Duration
    /// Whether the subprotocols are known to be names, and no token is among them.
    package var hasPublicProtocols = false

    /// Creates options. One that is left out has its default.
    public init(
        call: CallOptions = CallOptions(), limits: WebSocketLimits = WebSocketLimits(), compression: WebSocketCompression? = nil,
        maxQueuedMessages: Int = 1_000, maxQueuedBytes: Int = 1 << 20, maxUnsentBytes: Int = 64 << 10,
        pingInterval: Duration? = .seconds(30), pongTimeout: Duration = .seconds(20), closeTimeout: Duration = .seconds(5)
    ) {
        self.call = call
        self.limits = limits
        self.compression = compression
        self.maxQueuedMessages = maxQueuedMessages
        self.maxQueuedBytes = maxQueuedBytes
        self.maxUnsentBytes = maxUnsentBytes
        self.pingInterval = pingInterval
        self.pongTimeout = pongTimeout
        self.closeTimeout = closeTimeout
    }
}
