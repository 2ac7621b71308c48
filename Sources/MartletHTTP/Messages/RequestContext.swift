internal import MartletSystem

/// Typed values that accompany a request through the interceptors to the transport and are not sent.
///
/// To add a value of your own, declare a key:
///
/// ```swift
/// enum FeatureKey: RequestContextKey { static let defaultValue = "" }
/// request.context[FeatureKey.self] = "checkout"
/// ```
public struct RequestContext: Sendable {
    /// The origin of the client's base URL, to which interceptors send credentials by default, or nil if the client has none.
    ///
    /// By default, interceptors add credentials only to requests to this origin. Without it, `AuthInterceptor` fails unless it names its
    /// origins, and `HeadersInterceptor` adds its fields until a redirect leads to another origin.
    public var baseOrigin: Origin? {
        get { storage.content.baseOrigin }
        set { change { $0.baseOrigin = newValue } }
    }
    /// The request's path with `{}` in place of each interpolated value, such as `users/{}/posts`. Groups calls in logs and metrics. Empty
    /// for full URLs.
    public var pathTemplate: String {
        get { storage.content.pathTemplate }
        set { change { $0.pathTemplate = newValue } }
    }
    /// The name of the endpoint or request for logs and metrics, such as `GetUser`, `API.detail` or `GET users/{}`. Empty outside a client.
    public var endpointName: String { storage.content.endpointName?() ?? "" }
    /// The client's clock, which interceptors use unless they have their own. Outside a client, the system's clock.
    public var time: any TimeSource { storage.content.services?.time ?? SystemTime() }
    /// The client's source of random numbers, which interceptors use unless they have their own. Outside a client, the system's.
    public var random: any RandomSource { storage.content.services?.random ?? SystemRandom() }
    /// The names of fields that are neither secret nor identify a user, as the client's configuration declares them.
    package var harmlessFields: Set<HTTPFieldName> { storage.content.services?.harmlessFields ?? [] }
    /// What the client provides to interceptors and errors.
    package var services: (any RequestServices)? {
        get { storage.content.services }
        set { change { $0.services = newValue } }
    }
    // Not boxed, because every exchange sets it.
    /// The number of this exchange within its call, counting redirects and retries from 1, or 0 before the first exchange.
    public var attempt = 0
    /// The record of the call. The client sets it.
    package var record: CallRecord? {
        get { storage.content.record }
        set { change { $0.record = newValue } }
    }
    /// The number of exchanges of the call until now or, without a record, of this exchange.
    var attempts: Int { record?.count ?? attempt }
    /// The record that holds the idempotency key, the redirects and the wait for a credential: that of the call, or one of its own for a
    /// later request of a call with several requests.
    package var keyRecord: CallRecord? { storage.content.laterRequest ?? storage.content.record }
    /// The buffered call that this exchange is part of, if nothing else ends the call: the transport (``CallEndingTransport``) ends the
    /// exchange with it, and interceptors end their own waits with it (``endingWithCall(_:)``). Nil for all other calls.
    package var call: CallTicket? {
        get { storage.content.call }
        set { change { $0.call = newValue } }
    }
    // A property of its own: as the only one of `values`, it would make a dictionary for each call, which takes 4,000 instructions.
    /// The running call that observers see, of which this request is a part, or nil. The client knows its type.
    package var runningCall: (any AnyObject & Sendable)? {
        get { storage.content.runningCall }
        set { change { $0.runningCall = newValue } }
    }
    /// What the caller wants to do with the connection if the response is 101, or nil for an ordinary request.
    package var upgrade: ConnectionUpgrade? {
        get { storage.content.upgrade }
        set { change { $0.upgrade = newValue } }
    }
    /// What interceptors do at each exchange with the transport, outermost first.
    package var exchangeObservers: [any ExchangeObserver] {
        get { storage.content.exchangeObservers }
        set { change { $0.exchangeObservers = newValue } }
    }
    /// The time by which the call must end, or nil if it has no time limit. The client sets it. Interceptors should not begin a wait that
    /// would exceed it.
    public var deadline: ContinuousClock.Instant? {
        get { storage.content.deadline }
        set { change { $0.deadline = newValue } }
    }
    /// Whether the deadline of the call has passed.
    package var hasExpired: Bool { deadline.map { time.instant >= $0 } ?? false }
    /// The time limit for the response to one exchange with the transport, or nil for no limit other than the deadline.
    public var attemptTimeout: Duration? {
        get { storage.content.attemptTimeout }
        set { change { $0.attemptTimeout = newValue } }
    }
    /// The maximum time without bytes while a streamed body is read, or an upload with progress is sent, or nil for no limit.
    public var idleTimeout: Duration? {
        get { storage.content.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }
    /// How long the transport waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1), or nil to send the body immediately.
    ///
    /// See `CallOptions.expectContinue`.
    public var expectContinue: Duration? {
        get { storage.content.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }
    /// Whether the request may be resent even if the server may have received it; nil lets the method decide. Default: nil, the method and
    /// an `Idempotency-Key` decide.
    ///
    /// Set it to true, for example, for a query that is sent with POST.
    public var isIdempotent: Bool? {
        get { storage.content.isIdempotent }
        set { change { $0.isIdempotent = newValue } }
    }
    /// Whether the transport returns when the head has arrived, with a stream of the body as it arrives. Otherwise it returns when the body
    /// is complete, with the whole body in memory, at most ``ResponseLimits/bodyBytes``. Default: false.
    public var streamsBody: Bool {
        get { storage.content.streamsBody }
        set { change { $0.streamsBody = newValue } }
    }
    /// Whether the client follows every redirect that the rules allow, so that the body of a redirect is discarded. The client sets it.
    ///
    /// If so, a transport may end the body of a redirect with a `Location` at ``ResponseLimits/redirectBodyBytes``.
    public package(set) var followsRedirects: Bool {
        get { storage.content.followsRedirects }
        set { change { $0.followsRedirects = newValue } }
    }
    /// The size limits for the response.
    public var limits: ResponseLimits {
        get { storage.content.limits }
        set { change { $0.limits = newValue } }
    }

    // Boxed: each step copies the request, and copying the values themselves would retain each of them.
    private var storage = RequestContext.unchanged
    private static let unchanged = CopyOnWrite(Content())

    /// Creates a context with default values.
    public init() {}

    /// Whether no value was ever set.
    package var isUntouched: Bool { attempt == 0 && storage.isIdentical(to: RequestContext.unchanged) }

    /// The value for a key of your own, or the key's default value.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get { storage.content.values.isEmpty ? Key.defaultValue : stored(key) }
        set { change { $0.values[ObjectIdentifier(key)] = newValue } }
    }

    // A separate function, because it looks up the metadata of an Optional.
    @inline(never)
    private func stored<Key: RequestContextKey>(_ key: Key.Type) -> Key.Value {
        // In two steps: if Value is an Optional, a missing entry would be read as a stored nil.
        guard let value = storage.content.values[ObjectIdentifier(key)] else { return Key.defaultValue }
        return value as? Key.Value ?? Key.defaultValue
    }

    /// The value stored under its own type, or nil if none was set.
    package subscript<Value: Sendable>(only type: Value.Type) -> Value? {
        get { storage.content.values.isEmpty ? nil : storage.content.values[ObjectIdentifier(type)] as? Value }
        set { change { $0.values[ObjectIdentifier(type)] = newValue } }
    }

    /// Copies the values that are set in another context over those of this one: ``isIdempotent``, ``runningCall`` and the values of keys.
    package mutating func override(with other: RequestContext) {
        if other.isUntouched { return }
        if isUntouched { return self = other }
        let content = other.storage.content
        change {
            $0.isIdempotent = content.isIdempotent ?? $0.isIdempotent
            $0.runningCall = content.runningCall ?? $0.runningCall
            $0.values.merge(content.values) { _, new in new }
        }
    }

    /// Changes several values together, which is cheaper than setting each.
    package mutating func change(_ body: (inout Content) -> Void) {
        storage.change(body)
    }

    /// The values of a context, shared between copies.
    package struct Content: Sendable {
        package var baseOrigin: Origin?
        package var pathTemplate: String = ""
        package var endpointName: (@Sendable () -> String)?
        package var services: (any RequestServices)?
        package var record: CallRecord?
        /// What belongs to this request alone, if its call had other requests before it.
        package var laterRequest: CallRecord?
        package var call: CallTicket?
        package var runningCall: (any AnyObject & Sendable)?
        var upgrade: ConnectionUpgrade?
        var exchangeObservers: [any ExchangeObserver] = []
        package var deadline: ContinuousClock.Instant?
        package var attemptTimeout: Duration?
        package var idleTimeout: Duration?
        package var expectContinue: Duration?
        var isIdempotent: Bool?
        package var streamsBody = false
        package var followsRedirects = false
        package var limits: ResponseLimits = ResponseLimits()
        fileprivate var values: [ObjectIdentifier: any Sendable] = [:]
    }

    /// Waits for work other than the exchange, such as a token provider or a store, until the call ends.
    ///
    /// If the call has no task of its own that is abandoned at its end (see ``call``), the work gets one: at the deadline this throws
    /// `.timeout`, and when the call is cancelled `.cancelled`, without waiting for work that ignores its cancellation. Work that never
    /// suspends needs no other thread and no timer.
    package func endingWithCall<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let call else { return try await operation() }
        let timer = { (fire: @escaping @Sendable () -> Void) in deadline.map { time.timer(at: $0, fire: fire) } }
        return try await race(operation, against: timer, endedBy: call) { ErrorContext(stage: .exchange) }
    }
}

/// The services of the client that created the request, for interceptors.
package protocol RequestServices: AnyObject, Sendable {
    /// The client's clock.
    var time: any TimeSource { get }
    /// The client's source of random numbers.
    var random: any RandomSource { get }
    /// The names of fields that the app declares as harmless.
    var harmlessFields: Set<HTTPFieldName> { get }
}

/// A key for a value in a ``RequestContext``.
public protocol RequestContextKey {
    /// The value's type.
    associatedtype Value: Sendable
    /// The value that is read if none was set.
    static var defaultValue: Value { get }
}

/// The size limits for a response. A response that exceeds one fails with `HTTPError.responseTooLarge`.
public struct ResponseLimits: Sendable, Hashable {
    /// The maximum number of bytes of a body that is collected in memory, counted after decompression. Default: 100 MB (100,000,000).
    public var bodyBytes: Int
    /// The maximum number of bytes of the response's head, including the status line. With libcurl, interim responses and trailers count
    /// too, and the response of a proxy to `CONNECT` has the same limit. Over HTTP/2, libcurl itself may accept only 128 KB.
    /// Default: 256 KiB.
    public var headBytes: Int
    /// The maximum number of fields in the head, and separately in the trailers. Default: 1,000.
    public var fieldCount: Int
    /// The maximum number of bytes of a streamed body, counted after decompression, or nil for no limit. It applies however the body is
    /// read. Default: nil.
    public var streamBytes: Int64?
    /// The maximum number of bytes read from the body of a redirect that is followed; more do not make the call fail. Default: 64 KiB.
    ///
    /// The body is discarded. A transport may end it at this limit as if it were complete, so that an endless body does not prevent the
    /// redirect.
    public var redirectBodyBytes: Int

    /// Creates the size limits for a response. Each parameter has the default of its property.
    public init(
        bodyBytes: Int = 100_000_000, headBytes: Int = 256 * 1024, redirectBodyBytes: Int = 64 * 1024, fieldCount: Int = 1000,
        streamBytes: Int64? = nil
    ) {
        self.bodyBytes = bodyBytes
        self.headBytes = headBytes
        self.fieldCount = fieldCount
        self.streamBytes = streamBytes
        self.redirectBodyBytes = redirectBodyBytes
    }
}

/// The part of an interceptor that works on each exchange with the transport: on each attempt of a retry, and on a 304 that the
/// cache replaces by a stored response.
package protocol ExchangeObserver: Sendable {
    /// Returns the request that is sent, changed or not.
    func request(for request: HTTPRequest) async throws(HTTPError) -> HTTPRequest
    /// Handles the fields of a response from the transport.
    func received(_ fields: HTTPFields, for request: HTTPRequest) async
}

extension Duration {
    /// The duration that means no limit in parameters that take a time limit, as in `.timeout(.unlimited)`.
    public static var unlimited: Duration { .seconds(1_000 * 366 * 86_400) }

    /// The duration, or nil if it is ``unlimited`` or longer.
    package var ifLimited: Duration? { self < .unlimited ? self : nil }
}
