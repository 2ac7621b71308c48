public import MartletEssentials

/// A message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// A text. It is sent as UTF-8.
    case text(String)
    /// Binary data.
    case data(Data)

    /// The number of bytes of the message's content, before compression.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}

extension WebSocketMessage: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a text message.
    public init(stringLiteral text: String) { self = .text(text) }
}

/// The largest messages and frames that a WebSocket accepts.
///
/// A connection that receives a larger one fails with ``WebSocketCloseCode/messageTooBig``, before the content has been read, or inflated.
public struct WebSocketLimits: Sendable, Hashable {
    /// The maximum size in bytes of one frame's content, as it is on the wire. Default: 16 MiB.
    public var frameBytes: Int
    /// The maximum size in bytes of one message's content, of all its frames and after decompression. Default: 16 MiB.
    public var messageBytes: Int

    /// Creates limits. Values below 0 count as 0.
    public init(frameBytes: Int = 16 << 20, messageBytes: Int = 16 << 20) {
        self.frameBytes = frameBytes
        self.messageBytes = messageBytes
    }
}

/// The side of a connection.
package enum WebSocketRole: Sendable, Hashable {
    case client, server

    package var peer: WebSocketRole { self == .client ? .server : .client }
}
