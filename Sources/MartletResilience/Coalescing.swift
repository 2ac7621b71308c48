internal import MartletEssentials
internal import MartletSystem

/// An interceptor with which identical GET and HEAD requests that run at the same time share one exchange.
///
/// ```swift
/// let client = HTTPClient(baseURL: url, interceptors: [Coalescing(), RetryInterceptor()])
/// async let first = client.send(Request<User>.get("me"))
/// async let second = client.send(Request<User>.get("me"))  // one request to the server
/// ```
///
/// Requests are identical if their method, URL, size limits, transport and header fields are equal, except ``ignoredFields``, and if both
/// or neither follow redirects. Requests of different users or with a different `Host` therefore never share a response. If an interceptor
/// inside adds a field by which the server may recognise the user, or changes the URL, each request is sent by itself, and later requests
/// to the same origin are not shared. These are credentials, and all fields that are not known to be harmless: see
/// `HTTPClient.Configuration.harmlessFields`. ``ignoredFields`` are harmless too, unless they are credentials.
///
/// A response is not shared either if it sets a cookie and the request had no credentials, or if its `Vary` names `*`, a field of
/// ``ignoredFields`` that was sent, or a field that an interceptor inside has changed.
///
/// Requests with a body, with streamed responses, for a WebSocket and with the cache policy `.reload` are not shared. Nothing is stored: a
/// request that begins after the response has arrived is sent.
///
/// A request that is cancelled or reaches its deadline leaves the others alone. The shared exchange ends when its last request has left. It
/// obeys the deadline, the retry policy and the timeouts of the request that began it. If it times out or a limit rejects it, the others
/// send the request again, shared as well, and after the eighth such exchange fail like it.
///
/// Place it outside retry, so that requests that share an exchange share its attempts, and inside authentication and the cache.
public struct Coalescing: Interceptor, CredentialAddingInterceptor {
    /// The fields that may differ between requests that share a response. The response is that to the first one's fields. Default:
    /// `traceparent`, `tracestate`, `X-Request-ID`, `X-Correlation-ID`.
    public let ignoredFields: [HTTPFieldName]
    private let ignored: Set<HTTPFieldName>
    private let maxSharing: Int
    private let flights = SingleFlight<CoalescingKey, HTTPResponse<HTTPBody>>(cancelsAbandoned: true)
    /// The origins whose requests get credentials that are added inside.
    private let unshareable = UnshareableOrigins()

    /// Creates an interceptor without requests in flight.
    ///
    /// - Parameters:
    ///   - ignoredFields: The fields that may differ. Default: those of tracing that are different for each request.
    ///   - maxSharing: The maximum number of requests that wait for one exchange. More are sent by themselves. Default: 1,000.
    public init(
        ignoredFields: [HTTPFieldName] = ["traceparent", "tracestate", "X-Request-ID", "X-Correlation-ID"], maxSharing: Int = 1_000
    ) {
        self.ignoredFields = ignoredFields
        ignored = Set(ignoredFields.filter { !$0.isAlwaysCredential })
        self.maxSharing = max(1, maxSharing)
    }

    /// Returns the response to an identical request that is running, or sends the request.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let key = CoalescingKey(request, ignoring: ignored), !unshareable.contains(request) else {
            return try await next(request)
        }
        var failures = SharedFailures()
        while flights.waiterCount(for: key) < maxSharing {
            if Task.isCancelled { throw .cancelled }
            let (result, hasJoined) = await flights.outcome(for: key) { try await next(request) }
            guard hasJoined else { return try first(result, request, key) }
            switch result {
            case .success(let response):
                guard isShareable(response, key) else { return try await next(request) }
                return joined(response, request)
            case .failure(let error as HTTPError):
                if Task.isCancelled { throw .cancelled }
                guard failures.permitAnother(after: error) else { throw error }
            case .failure: throw .cancelled
            }
        }
        return try await next(request)
    }

    /// Returns the outcome of the request that began the exchange.
    private func first(
        _ result: Result<HTTPResponse<HTTPBody>, any Error>, _ request: HTTPRequest, _ key: CoalescingKey
    ) throws(HTTPError) -> HTTPResponse<HTTPBody> {
        switch result {
        case .success(let response):
            if !isTold(by: response, key) { unshareable.add(request) }
            return response
        case .failure(let error): throw error as? HTTPError ?? .cancelled
        }
    }

    /// Whether the response may be used for other requests than the one that was sent.
    private func isShareable(_ response: HTTPResponse<HTTPBody>, _ key: CoalescingKey) -> Bool {
        guard response.body.buffered != nil, isTold(by: response, key), let sent = response.metadata.request else { return false }
        // A cookie for a request without credentials may identify one user.
        if key.identity.credentials.isEmpty, response.headers.contains(.setCookie) { return false }
        return response.headers.values(for: .vary).flatMap(\.listMembers).allSatisfy { name in
            guard name != "*" else { return false }
            let name = HTTPFieldName(name)
            return sent.headers.bytes(for: name) == key.headers.bytes(for: name)
        }
    }

    /// Whether the request was sent with the URL and the identity of the key.
    private func isTold(by response: HTTPResponse<HTTPBody>, _ key: CoalescingKey) -> Bool {
        guard let sent = response.metadata.request else { return false }
        return sent.urlText == key.url && RequestIdentity(of: sent, naming: ignored) == key.identity
    }

    /// Returns the response of another call with its attempts for this call.
    private func joined(_ response: HTTPResponse<HTTPBody>, _ request: HTTPRequest) -> HTTPResponse<HTTPBody> {
        guard var sent = response.metadata.request else { return response }
        request.context.record?.note("shared the exchange of another call")
        if let own = request.context.record {
            if let others = sent.context.record { own.adopt(others) }
            sent.context.record = own
        }
        var response = response
        response.metadata.request = sent
        return response
    }
}

/// Remembers at most 1,000 origins.
private final class UnshareableOrigins: Sendable {
    private let origins = Locked(BoundedMap<Origin, Void>(limit: 1_000))

    func contains(_ request: HTTPRequest) -> Bool {
        origins.withLock { origins in !origins.isEmpty && (request.origin.map { origins[$0] != nil } ?? true) }
    }

    func add(_ request: HTTPRequest) {
        guard let origin = request.origin else { return }
        origins.withLock { origins in _ = origins.insert((), for: origin) }
    }
}

/// The key of a request in flight. Requests with equal keys may share one response.
struct CoalescingKey: Hashable, Sendable {
    let method: HTTPMethod
    let url: String
    /// All fields, on which the representation may depend, except those of single calls.
    let headers: HTTPFields
    let limits: ResponseLimits
    /// Whether redirects are followed, so that the body of one may be cut.
    let followsRedirects: Bool
    /// To whom the response belongs.
    let identity: RequestIdentity
    /// The transport, which may have credentials of its own, such as a client certificate.
    let transport: ObjectIdentifier?

    /// Creates the key of a request, or returns nil if its response can't be shared.
    ///
    /// - Parameter ignored: The fields that may differ.
    init?(_ request: HTTPRequest, ignoring ignored: Set<HTTPFieldName>) {
        guard request.method == .get || request.method == .head, request.body == nil, !request.context.streamsBody,
            request.context.upgrade == nil, request.context.cachePolicy != .reload
        else { return nil }
        method = request.method
        url = request.urlText
        var headers = request.headers
        for name in ignored { headers.remove(name) }
        self.headers = headers
        limits = request.context.limits
        followsRedirects = request.context.followsRedirects
        identity = RequestIdentity(of: request, naming: ignored)
        transport = (request.context.services as? ClientServices)?.transportID
    }
}
