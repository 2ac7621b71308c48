/// A reason for which a connection fails: bytes of the peer that violate RFC 6455 or RFC 7692, or exceed a limit.
package enum WebSocketViolation: Error, Hashable, Sendable {
    /// RSV2 or RSV3, or RSV1 where no extension gives it a meaning (RFC 6455 §5.2, RFC 7692 §6.1).
    case reservedBits
    /// An opcode that RFC 6455 §5.2 reserves.
    case reservedOpcode(UInt8)
    /// A frame of a client without a mask (§5.1).
    case missingMask
    /// A frame of a server with a mask (§5.1).
    case unexpectedMask
    /// A payload length in more bytes than it needs (§5.2).
    case inflatedLength
    /// A payload length whose most significant bit is 1 (§5.2).
    case negativeLength
    /// A control frame in fragments (§5.5).
    case fragmentedControlFrame
    /// A control frame with more than 125 bytes (§5.5).
    case largeControlFrame
    /// A continuation frame outside a message (§5.4).
    case unexpectedContinuation
    /// The first frame of a message within another message (§5.4).
    case unfinishedMessage
    /// A Close frame with one byte (§5.5.1).
    case truncatedCloseCode
    /// A Close frame with a code that must not be sent (§7.4).
    case invalidCloseCode(UInt16)
    /// A Close frame whose reason is not UTF-8 (§5.5.1, §8.1).
    case invalidCloseReason
    /// A text message that is not UTF-8 (§5.6, §8.1).
    case invalidText
    /// A message whose compressed data is invalid (RFC 7692 §6.2).
    case invalidCompression
    /// A frame or a message with more bytes than the limit.
    case tooLarge(limit: Int)

    /// The code with which the connection is closed (RFC 6455 §7.4.1).
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .invalidCloseReason, .invalidText, .invalidCompression: .invalidPayload
        case .tooLarge: .messageTooBig
        default: .protocolError
        }
    }
}

extension WebSocketViolation: CustomStringConvertible {
    /// The violation in words. As the reason of a Close frame, they are short.
    package var description: String {
        switch self {
        case .reservedBits: "a frame has reserved bits"
        case .reservedOpcode(let code): "a frame has the reserved opcode \(code)"
        case .missingMask: "a frame of the client is not masked"
        case .unexpectedMask: "a frame of the server is masked"
        case .inflatedLength: "a frame's length has more bytes than it needs"
        case .negativeLength: "a frame's length has its most significant bit set"
        case .fragmentedControlFrame: "a control frame is fragmented"
        case .largeControlFrame: "a control frame has more than 125 bytes"
        case .unexpectedContinuation: "a continuation frame is outside a message"
        case .unfinishedMessage: "a message begins within another one"
        case .truncatedCloseCode: "a Close frame has a payload of one byte"
        case .invalidCloseCode(let code): "a Close frame has the invalid code \(code)"
        case .invalidCloseReason: "the reason of a Close frame is not UTF-8"
        case .invalidText: "a text message is not UTF-8"
        case .invalidCompression: "the compressed data of a message is corrupt"
        case .tooLarge(let limit): "a message is larger than \(limit) bytes"
        }
    }
}
