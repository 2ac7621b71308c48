/// A type that performs single HTTP exchanges: it sends a request over the network and returns its response.
///
/// ### Choose
/// With `import Martlet`, `HTTPClient` uses the platform's transport. `MockTransport` (in MartletTesting) returns responses without a
/// network.
///
/// ### Use
/// Call ``send(_:)`` through `HTTPClient`. It adds everything that a transport never does: redirects, retries, validation, decoding and
/// deadlines.
///
/// ### Implement
/// A transport
/// - returns a response whatever its status, and throws only if it received none;
/// - never follows redirects, retries, decodes content types, keeps cookies or responds to authentication challenges;
/// - delivers a request that is not idempotent (``HTTPRequest/isIdempotent``) at most once;
/// - for `context.delivery == .buffered`, returns a body in memory of at most `context.limits.bodyBytes` decoded bytes; for `.streamed`,
///   returns after the head with a body that is received only as fast as it is read;
/// - decodes `Content-Encoding`, then removes that field and `Content-Length` and sets `metadata.wasContentCoded`;
/// - may send `Expect: 100-continue` and wait before sending a body if `context.expectContinue` is set;
/// - may end the body of a redirect at `context.limits.redirectBodyBytes` if `context.followsRedirects`, because the body is discarded;
/// - throws `.networkError(.connectionLost)` if the connection ends within the head or the body, with the stage `.exchange` or `.body`, and
///   never returns a truncated response as a success; throws `.invalidResponse` for a malformed response;
/// - connects only to addresses that `context.addressPolicy` allows, and otherwise throws `.addressRefused`;
/// - throws `.responseTooLarge` for a head that exceeds `context.limits.headBytes` or `context.limits.fieldCount`;
/// - stops when its task is cancelled and then throws `.cancelled`.
///
/// The client enforces deadlines by cancelling the exchange. A transport that can enforce them at a lower cost declares it with
/// ``endsByDeadline``.
public protocol Transport: Sendable {
    /// Whether the transport itself ends an exchange with `.timeout` at `context.deadline`, measured with the system's continuous clock.
    /// Default: false.
    ///
    /// If true, it must hold while the exchange waits for a connection, for the head and for a buffered body. It saves a task for each
    /// call. The client relies on it only if nothing else could wait as well.
    var endsByDeadline: Bool { get }

    /// The group of the running calls of all clients over this transport, on which ``cancelAll()`` and ``drain(within:time:)`` act.
    /// Default: nil, which makes both do nothing.
    ///
    /// Your own transport stores a group: `let calls: CallGroup? = CallGroup()`. A transport that wraps another one returns that
    /// transport's group. Always return the same group. A client reads it once, when it is created, and registers its calls there.
    var calls: CallGroup? { get }

    /// Whether the transport keeps connections to servers, which `HTTPClient.preconnect(to:)` opens ahead of a call. Default: false, nothing
    /// is sent ahead.
    var opensConnections: Bool { get }

    /// Sends one request and returns its response, whatever its status; throws if no response was received.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>
}

extension Transport {
    /// Returns false: the client enforces the deadline.
    public var endsByDeadline: Bool { false }

    /// Returns false: there is nothing to open ahead of a call.
    public var opensConnections: Bool { false }

    /// Returns nil: the transport does not know its clients' calls.
    public var calls: CallGroup? { nil }
}
