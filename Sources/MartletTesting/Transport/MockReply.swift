public import Foundation
public import Martlet

/// What a double answers: a response, a failure, or a server's misbehaviour.
///
/// ```swift
/// .json(#"{"id":1}"#)
/// .status(503, headers: [.retryAfter: "7"])
/// .data(png, contentType: "image/png").delayed(by: .milliseconds(200))
/// .json("[]").disconnecting(afterBodyBytes: 1)
/// ```
///
/// A ``MockServer`` puts it on the wire. A ``MockTransport`` makes of it what a client would see of that: a disconnection is
/// `.networkError` with `.connectionLost`, and a body that breaks off is `.invalidResponse`.
public struct MockReply: Sendable {
    /// How the exchange ends.
    enum Ending: Sendable, Hashable {
        case whole
        case disconnectBeforeHead
        case disconnectAfterHeadBytes(Int)
        case disconnectAfterBodyBytes(Int)
    }

    /// How the body is framed.
    enum Framing: Sendable, Hashable {
        case fixed
        case chunked(size: Int)
        case untilClose
    }

    var status: HTTPStatus
    var headers: HTTPFields
    var body: Data
    var failure: HTTPError?
    var raw: Data?
    var delay: Duration?
    var ending = Ending.whole
    var framing = Framing.fixed
    var trailers: HTTPFields = [:]
    var interim: [(status: HTTPStatus, headers: HTTPFields)] = []
    var closesConnection = false

    private init(status: HTTPStatus, headers: HTTPFields = [:], body: Data = Data(), contentType: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        if let contentType, !headers.contains(.contentType) { self.headers.append(.contentType, contentType) }
    }

    /// A JSON text.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> Self {
        Self(status: status, headers: headers, body: Data(text.utf8), contentType: "application/json")
    }

    /// A text in UTF-8.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> Self {
        Self(status: status, headers: headers, body: Data(text.utf8), contentType: "text/plain; charset=utf-8")
    }

    /// Bytes.
    public static func data(
        _ data: Data, contentType: String = "application/octet-stream", status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> Self {
        Self(status: status, headers: headers, body: data, contentType: contentType)
    }

    /// A status without a body.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:]) -> Self { Self(status: status, headers: headers) }

    /// No response but an error. Only a ``MockTransport`` can give one; a ``MockServer`` closes the connection.
    public static func failure(_ error: HTTPError) -> Self {
        var reply = Self(status: 500)
        reply.failure = error
        reply.ending = .disconnectBeforeHead
        return reply
    }

    /// The connection is closed before the head of the response.
    public static var disconnect: Self {
        var reply = Self(status: 500)
        reply.ending = .disconnectBeforeHead
        return reply
    }

    /// These bytes in place of a response, then the connection is closed. A ``MockTransport`` takes them for garbage:
    /// `.invalidResponse`.
    public static func raw(_ bytes: Data) -> Self {
        var reply = Self(status: 500)
        reply.raw = bytes
        return reply
    }

    /// These bytes in place of a response, then the connection is closed.
    public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }

    /// The same reply after a wait.
    public func delayed(by delay: Duration) -> Self { with { $0.delay = delay } }

    /// The same reply, broken off within its head.
    public func disconnecting(afterHeadBytes count: Int) -> Self { with { $0.ending = .disconnectAfterHeadBytes(count) } }

    /// The same reply, broken off within its body.
    public func disconnecting(afterBodyBytes count: Int) -> Self { with { $0.ending = .disconnectAfterBodyBytes(count) } }

    /// The same reply with a chunked body (RFC 9112 §7.1), and trailers after it.
    public func chunked(size: Int = 1024, trailers: HTTPFields = [:]) -> Self {
        with {
            $0.framing = .chunked(size: max(1, size))
            $0.trailers = trailers
        }
    }

    /// The same reply with a body whose end is the end of the connection (RFC 9112 §6.3).
    public func untilClose() -> Self { with { $0.framing = .untilClose } }

    /// The same reply after an interim one (RFC 9110 §15.2), such as 103.
    public func after(interim status: HTTPStatus, headers: HTTPFields = [:]) -> Self { with { $0.interim.append((status, headers)) } }

    /// The same reply, after which the server closes the connection and says so.
    public func closingConnection() -> Self { with { $0.closesConnection = true } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var reply = self
        change(&reply)
        return reply
    }
}
