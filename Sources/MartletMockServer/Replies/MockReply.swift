package import MartletEssentials

/// What a test double answers: a response, slowly or in pieces, or the many ways in which there is none.
///
/// ```swift
/// .json(#"{"id": 1}"#)
/// .status(503, headers: [.retryAfter: "2"])
/// .data(image, contentType: "image/png").delayed(by: .milliseconds(200))
/// .disconnect
/// ```
///
/// One type serves `MockTransport`, which makes a response of it in memory, and `MockServer`, which writes it to a socket. Where
/// the two differ, the words beside each member say how. A reply is a value: it may be used any number of times.
public struct MockReply: Sendable {
    package enum Kind: Sendable {
        case response
        case failure(HTTPError)
        case raw(Data)
        case silence
    }

    package enum Content: Sendable {
        case data(Data)
        /// Each piece is written, and read, on its own.
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

        /// The number of bytes of the body that come before the connection breaks, or nil if it does not break within the body.
        package var bodyBytes: Int? { if case .withinBody(let after) = moment { after } else { nil } }
    }

    /// When a connection breaks.
    public enum Moment: Sendable, Hashable {
        /// Before the first byte of the answer.
        case beforeHead
        /// After so many bytes of the answer's head.
        case withinHead(after: Int)
        /// After the head and so many bytes of the body: of the content in `MockTransport`, of what is written to the socket,
        /// the framing of chunks included, in `MockServer`.
        case withinBody(after: Int)
    }

    /// The status.
    public var status: HTTPStatus
    /// The fields. `MockServer` adds `Content-Length` or `Transfer-Encoding` unless one of them is here.
    public var headers: HTTPFields
    /// The fields after the body.
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
    /// What goes wrong with the reply when it is given, in place of what the double was told of all replies.
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
