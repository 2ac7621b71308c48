package import MartletEssentials

/// A reply of a test double: a response, possibly slow or in pieces, or one of many kinds of failure.
///
/// ```swift
/// let replies: [MockReply] = [
///     .json(#"{"id": 1}"#),
///     .status(503, headers: [.retryAfter: "2"]),
///     .data(image, contentType: "image/png").delayed(by: .milliseconds(200)),
///     .disconnect,
/// ]
/// ```
///
/// `MockTransport` creates a response from it in memory, and `MockServer` writes it to a socket. The members document where the two differ.
/// A reply is a value and can be used any number of times.
public struct MockReply: Sendable {
    package enum Kind: Sendable {
        case response
        case failure(HTTPError)
        case raw(Data)
        case silence
    }

    package enum Content: Sendable {
        case data(Data)
        /// Each piece is written, and received by readers, separately.
        case pieces([Data])
        case stream(@Sendable () -> HTTPBody)
    }

    struct Interim: Sendable {
        let status: HTTPStatus
        let headers: HTTPFields
    }

    package struct Disconnect: Sendable {
        package let moment: Moment
        let isReset: Bool

        /// The number of bytes of the body before the connection breaks, or nil if it does not break within the body.
        package var bodyBytes: Int? { if case .withinBody(let after) = moment { after } else { nil } }
    }

    /// The moment at which a connection breaks.
    public enum Moment: Sendable, Hashable {
        /// Before the first byte of the response.
        case beforeHead
        /// After this number of bytes of the response head.
        case withinHead(after: Int)
        /// After the head and this number of bytes of the body. `MockTransport` counts bytes of the content, `MockServer` bytes written to
        /// the socket, including the framing of chunks.
        case withinBody(after: Int)
    }

    /// The status.
    public var status: HTTPStatus
    /// The header fields. `MockServer` adds `Content-Length` or `Transfer-Encoding` unless one of them is present.
    public var headers: HTTPFields
    /// The trailer fields after the body.
    public internal(set) var trailers: HTTPFields = [:]

    package var kind: Kind
    package var content: Content
    var interims: [Interim] = []
    package var delays = Delays()
    package var disconnect: Disconnect?
    var isClosing = false
    var isDelimitedByClose = false
    var isBeforeBody = false
    var stall: Stall?
    var drip: Drip?
    /// The faults of this reply, in place of those of the double.
    var faults: FaultPlayer?

    package struct Delays: Sendable {
        package var head = Duration.zero
        package var body = Duration.zero
        package var piece = Duration.zero
    }

    package init(_ kind: Kind = .response, status: HTTPStatus = 200, headers: HTTPFields = [:], content: Content = .data(Data())) {
        self.kind = kind
        self.status = status
        self.headers = headers
        self.content = content
    }
}
