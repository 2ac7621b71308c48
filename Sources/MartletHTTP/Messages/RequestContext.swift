/// Typed values that ride with a request through interceptors to the transport, and are not sent.
///
/// Add your own with a key:
///
/// ```swift
/// enum FeatureKey: RequestContextKey { static let defaultValue = "" }
/// request.context[FeatureKey.self] = "checkout"
/// ```
public struct RequestContext: Sendable {
    /// The origin of the client's base URL; nil when the client has none. Credentials are for this origin unless told otherwise.
    public var baseOrigin: Origin? {
        get { storage.content.baseOrigin }
        set { change { $0.baseOrigin = newValue } }
    }
    /// The path with a `{}` for each interpolated value: `users/{}/posts`. Groups calls in logs and metrics; empty for full URLs.
    public var pathTemplate: String {
        get { storage.content.pathTemplate }
        set { change { $0.pathTemplate = newValue } }
    }
    /// The name of the endpoint or request for logs and metrics, such as `GetUser`, `API.detail` or `GET users/{}`. Empty outside a client.
    public var endpointName: String { storage.content.endpointName?() ?? "" }
    /// Returns the endpoint's name. It is called only when the name is needed: finding it takes long.
    package var endpointNameSource: (@Sendable () -> String)? {
        get { storage.content.endpointName }
        set { change { $0.endpointName = newValue } }
    }
    /// The client's clock, which interceptors use unless they have their own. Outside a client it is the system's.
    public var time: any TimeSource { storage.content.services?.time ?? SystemTime() }
    /// The client's source of random numbers, which interceptors use unless they have their own. Outside a client it is the system's.
    public var random: any RandomSource { storage.content.services?.random ?? SystemRandom() }
    /// What the client provides to interceptors and errors.
    package var services: (any RequestServices)? {
        get { storage.content.services }
        set { change { $0.services = newValue } }
    }
    /// Which exchange of its call this is, redirects and retries counted; 0 before the first.
    public var attempt: Int {
        get { storage.content.attempt }
        set { change { $0.attempt = newValue } }
    }
    package var attempts: AttemptCounter? {
        get { storage.content.attempts }
        set { change { $0.attempts = newValue } }
    }
    /// The call that consists of only this exchange, for a transport that ends it itself: see ``CallEndingTransport``. Nil for other
    /// exchanges.
    package var call: CallTicket? {
        get { storage.content.call }
        set { change { $0.call = newValue } }
    }
    /// When the call must have ended. Set by the client; a wait that would pass it should not begin.
    public var deadline: ContinuousClock.Instant? {
        get { storage.content.deadline }
        set { change { $0.deadline = newValue } }
    }
    /// How long one exchange with the transport may take to give its answer; nil for no limit but the deadline.
    public var attemptTimeout: Duration? {
        get { storage.content.attemptTimeout }
        set { change { $0.attemptTimeout = newValue } }
    }
    /// How long a streamed body may be silent; nil for no limit.
    public var idleTimeout: Duration? {
        get { storage.content.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }
    /// How long the body is held back for the server to say `100 Continue`; nil when it is sent at once. See `CallOptions.expectContinue`.
    public var expectContinue: Duration? {
        get { storage.content.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }
    /// Whether the request may be sent again after it may have been received, whatever its method; nil when the method and an
    /// `Idempotency-Key` say it. A query that is sent by POST is an example. Default: nil.
    public var isIdempotent: Bool? {
        get { storage.content.isIdempotent }
        set { change { $0.isIdempotent = newValue } }
    }
    /// How the body of the answer is wanted.
    public var delivery: BodyDelivery {
        get { storage.content.delivery }
        set { change { $0.delivery = newValue } }
    }
    /// Whether the client follows every redirect that the rules allow, so that nobody sees the body of one that has a `Location`: a
    /// transport may end such a body at ``ResponseLimits/redirectBodyBytes``. Set by the client.
    public package(set) var followsRedirects: Bool {
        get { storage.content.followsRedirects }
        set { change { $0.followsRedirects = newValue } }
    }
    /// The sizes the answer may have.
    public var limits: ResponseLimits {
        get { storage.content.limits }
        set { change { $0.limits = newValue } }
    }

    // Boxed: a request is copied at every step of its way, and each copy would hold and count all of this anew.
    private var storage = Storage.untouched

    /// A context with the defaults.
    public init() {}

    /// Whether nothing was ever set.
    package var isUntouched: Bool { storage === Storage.untouched }

    /// A value of your own, by its key.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get {
            // In two steps: a missing value would itself be taken for a Value that is an Optional.
            guard !storage.content.values.isEmpty, let value = storage.content.values[ObjectIdentifier(key)] else {
                return Key.defaultValue
            }
            return value as? Key.Value ?? Key.defaultValue
        }
        set { change { $0.values[ObjectIdentifier(key)] = newValue } }
    }

    /// The value whose type is its own key; nil when none was set.
    package subscript<Value: Sendable>(only type: Value.Type) -> Value? {
        get { storage.content.values.isEmpty ? nil : storage.content.values[ObjectIdentifier(type)] as? Value }
        set { change { $0.values[ObjectIdentifier(type)] = newValue } }
    }

    /// Takes over the values that are set in another context: the app's own and those of interceptors.
    package mutating func override(with other: RequestContext) {
        if other.isUntouched { return }
        if isUntouched { return self = other }
        let content = other.storage.content
        change {
            $0.isIdempotent = content.isIdempotent ?? $0.isIdempotent
            $0.values.merge(content.values) { _, new in new }
        }
    }

    /// Changes several values at once, which costs less than setting one after the other.
    package mutating func change(_ body: (inout Content) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
        body(&storage.content)
    }

    /// The values of a context.
    package struct Content: Sendable {
        package var baseOrigin: Origin?
        package var pathTemplate: String = ""
        package var endpointName: (@Sendable () -> String)?
        package var services: (any RequestServices)?
        package var attempt: Int = 0
        package var attempts: AttemptCounter?
        package var call: CallTicket?
        package var deadline: ContinuousClock.Instant?
        package var attemptTimeout: Duration?
        package var idleTimeout: Duration?
        package var expectContinue: Duration?
        package var isIdempotent: Bool?
        package var delivery: BodyDelivery = .buffered
        package var followsRedirects = false
        package var limits: ResponseLimits = ResponseLimits()
        fileprivate var values: [ObjectIdentifier: any Sendable] = [:]
    }

    private final class Storage: @unchecked Sendable {
        // Proof: copy on write. `change` writes only while its context holds the one reference, so no other thread can reach `content`
        // then; a storage with several references is only read. `untouched` is never written: its static property holds a reference too.
        var content: Content

        init(_ content: Content) { self.content = content }

        static let untouched = Storage(Content())
    }
}

/// What the client of a request provides to interceptors.
package protocol RequestServices: AnyObject, Sendable {
    /// The client's clock.
    var time: any TimeSource { get }
    /// The client's source of random numbers.
    var random: any RandomSource { get }
}

/// Names a value in a ``RequestContext``.
public protocol RequestContextKey {
    /// The value's type.
    associatedtype Value: Sendable
    /// What is read when nothing was set.
    static var defaultValue: Value { get }
}

/// How the body of an answer is wanted from the transport.
public enum BodyDelivery: Sendable, Hashable {
    /// Whole, in memory, within ``ResponseLimits/bodyBytes``.
    case buffered
    /// As it arrives: the transport answers when the head is there.
    case streamed
}

/// The sizes an answer may have; past them it is `HTTPError.responseTooLarge`.
public struct ResponseLimits: Sendable, Hashable {
    /// Bytes of a body that is collected in memory, after decompression. Default: 100 MB (100,000,000).
    public var bodyBytes: Int
    /// Bytes of the head: status line and fields. Default: 256 KiB.
    public var headBytes: Int
    /// How many fields the head may have, and the trailers once more. Default: 1,000.
    public var fieldCount: Int
    /// Bytes of a streamed body, after decompression, however they are read. Default: nil, as many as the reader takes.
    public var streamBytes: Int64?
    /// Bytes of the body of a redirect that will be followed, of which nobody sees anything. Default: 64 KiB. A transport may end such a
    /// body there as if it were whole, so that a redirect with an endless one is followed all the same.
    public var redirectBodyBytes: Int

    /// The limits, each with its default.
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
