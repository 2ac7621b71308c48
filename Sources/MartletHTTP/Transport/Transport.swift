/// Performs exactly one exchange: sends a request, gives the response.
///
/// ### Choose
/// `HTTPClient` picks the platform's own when `Martlet` is imported; `MockTransport` (in MartletTesting) answers without a network.
///
/// ### Use
/// Call ``send(_:)`` through `HTTPClient`, which adds what a transport never does: redirects, retries, validation, decoding,
/// deadlines.
///
/// ### Implement
/// A transport
/// - gives a response whatever its status, and throws only when there is none;
/// - never follows redirects, retries, decodes content types, keeps cookies or asks for credentials;
/// - delivers a request that is not idempotent (``HTTPRequest/isIdempotent``) at most once;
/// - for `context.delivery == .buffered` gives a body in memory of at most `context.limits.bodyBytes` decoded bytes; for
///   `.streamed` gives the head at once and a body that flows only as fast as it is read;
/// - undoes `Content-Encoding`, and then drops that field and `Content-Length` and sets `metadata.wasContentCoded`;
/// - may ask before it sends a body when `context.expectContinue` says so, where it can;
/// - may end the body of a redirect at `context.limits.redirectBodyBytes` when `context.followsRedirects`, for nobody sees it;
/// - throws `.networkError(.connectionLost)` if the connection ends within the head or the body, with the stage `.exchange` or `.body`, and
///   never returns a truncated response as a success; throws `.invalidResponse` for a malformed response;
/// - connects only to addresses that `context.addressPolicy` does not refuse, and else throws `.addressRefused`;
/// - refuses a head of more than `context.limits.headBytes` or `context.limits.fieldCount` with `.responseTooLarge`;
/// - stops when its task is cancelled and then throws `.cancelled`.
///
/// Deadlines are the client's: it cancels an exchange that takes too long. A transport that can do it more cheaply says so with
/// ``endsByDeadline``.
public protocol Transport: Sendable {
    /// Whether an exchange ends by itself, with `.timeout`, when `context.deadline` has come on the machine's own clock, whether it is
    /// waiting for a connection, for the head, or for a buffered body. Default: false.
    ///
    /// It spares each call a task of its own. The client relies on it only where nothing else could wait as well.
    var endsByDeadline: Bool { get }

    /// The running calls of the clients over this transport, on which ``cancelAll()`` and ``drain(within:time:)`` act. Default: nil, which
    /// makes both do nothing.
    ///
    /// Your own transport stores a group: `let calls: CallGroup? = CallGroup()`. A transport that wraps another one returns that
    /// transport's group. Always return the same group. A client reads it once, when it is created, and registers its calls there.
    var calls: CallGroup? { get }

    /// Sends `request` and gives its response.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>
}

extension Transport {
    /// The client watches the deadline.
    public var endsByDeadline: Bool { false }

    /// No group: the transport does not know its clients' calls.
    public var calls: CallGroup? { nil }
}
