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
/// The duties of a transport, in the order of an exchange:
///
/// 1. Connect only to addresses that `context.addressPolicy` allows, and otherwise throw `.addressRefused`.
/// 2. Send the request unchanged. Deliver one that is not idempotent (``HTTPRequest/isIdempotent``) at most once. Never retry, add cookies
///    or respond to authentication challenges. With `context.expectContinue`, you may send `Expect: 100-continue` and wait before the body.
///    Send the trailers of a body that has them (``HTTPBody/hasTrailers``), or throw `.invalidRequest` before anything is sent.
/// 3. Receive the head, and throw `.responseTooLarge` if it exceeds `context.limits.headBytes` or `context.limits.fieldCount`. A status is
///    never an error, and a redirect is never followed.
/// 4. With `context.streamsBody`, return now with a body that is received only as fast as it is read. Otherwise return a body in
///    memory of at most `context.limits.bodyBytes` decoded bytes. With `context.followsRedirects`, you may end the body of a redirect at
///    `context.limits.redirectBodyBytes`, because it is discarded.
/// 5. Decode `Content-Encoding`, then remove that field and `Content-Length`, and set `metadata.wasContentCoded`. Don't decode the content.
/// 6. Never return a truncated response as a success: throw `.networkError(.connectionLost)`, with the stage `.exchange` within the head
///    and `.body` within the body. Throw `.invalidResponse` for a malformed response.
/// 7. Stop when the task is cancelled, and throw `.cancelled`. The client enforces deadlines by cancelling the exchange; a transport that
///    can enforce them at a lower cost declares it with ``endsByDeadline``.
///
/// The article "Choosing a transport: libcurl or URLSession" of the module `Martlet` shows one. `TransportConformance` of the product
/// `MartletConformance` checks these duties in more than 100 cases.
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

    /// Whether the transport keeps connections to servers, which `HTTPClient.preconnect(to:)` opens ahead of a call. Default: false,
    /// nothing is sent ahead.
    var opensConnections: Bool { get }

    /// Whether the transport opens WebSocket connections. Default: false, and `webSocket(_:)` of a client throws `.engineUnavailable`
    /// before anything is sent.
    ///
    /// A transport that wraps another one returns that transport's value, and passes the context of the request on.
    var opensWebSockets: Bool { get }

    /// Sends one request and returns its response, whatever its status; throws if no response was received.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>
}

extension Transport {
    /// Returns false: the client enforces the deadline.
    public var endsByDeadline: Bool { false }

    /// Returns false: there is nothing to open ahead of a call.
    public var opensConnections: Bool { false }

    /// Returns false: the transport sends requests and opens no WebSockets.
    public var opensWebSockets: Bool { false }

    /// Returns nil: the transport does not know its clients' calls.
    public var calls: CallGroup? { nil }

    /// Cancels the running calls of all clients over the transport: each throws `HTTPError.cancelled`. Returns immediately; new calls work.
    ///
    /// See ``CallGroup/cancelAll()``. A transport without ``calls`` does nothing.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls of all clients over the transport, which throw `HTTPError.draining`, waits for the running calls, and cancels the
    /// ones that are still running after `limit`. The transport never accepts calls again.
    ///
    /// See ``CallGroup/drain(within:time:)``, which has an example for SIGTERM. A transport without ``calls`` returns immediately.
    ///
    /// - Parameters:
    ///   - limit: How long the running calls may take. With zero or less they are cancelled immediately.
    ///   - time: The clock for the limit. Default: the system's.
    /// - Returns: The numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration, time: any TimeSource = .system) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}

/// A transport that ends an exchange with `.cancelled` when the call in the request's context is cancelled.
///
/// Calls over it need no task of their own: see ``Transport/endsByDeadline``.
package protocol CallEndingTransport: Transport {}
