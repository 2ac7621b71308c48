/// An interceptor that adds header fields to requests that lack them; by default, other origins than the client's own get only
/// `User-Agent`.
///
/// ```swift
/// HeadersInterceptor(["X-Tenant": "1", "Accept-Language": "en"])
/// HeadersInterceptor.app(.current)
/// ```
///
/// A field that the request already has stays unchanged, except the client's default `User-Agent`. A name or value that could inject a line
/// throws `.invalidRequest` when a request is sent.
///
/// `User-Agent` is added to every request. All other fields are for the app's own server: by default they are added to requests to the
/// origin of the client's base URL. If the client has no base URL, they are added until a redirect or a link leads to another origin. The
/// fields of `HTTPClient.Configuration.headers` have the same rule. Use an `AuthInterceptor` for credentials.
///
/// Caches treat the fields as the user's, except those known to be harmless and those of ``AppMetadata``: see
/// `HTTPClient.Configuration.harmlessFields`.
public struct HeadersInterceptor: Interceptor, CredentialAddingInterceptor {
    private let defaults: DefaultFields

    /// Creates an interceptor that adds `fields` to requests to the client's own origin or the given ones, and `User-Agent` to all
    /// requests.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - origins: The origins that receive fields other than `User-Agent`. Default: nil, the origin of the client's base URL.
    public init(_ fields: HTTPFields, origins: [Origin]? = nil) {
        defaults = DefaultFields(fields, origins: origins)
    }

    /// Returns an interceptor that adds the app's metadata as header fields, such as `User-Agent`, `Accept-Language` and `X-App-Version`.
    ///
    /// - Parameters:
    ///   - app: The app's metadata. Default: that of this program. See ``AppMetadata/fields(prefix:)``.
    ///   - prefix: The prefix of the names of the app's own fields. Default: `X-App-`.
    ///   - origins: The origins that receive fields other than `User-Agent`. Default: nil, the origin of the client's base URL.
    public static func app(
        _ app: AppMetadata = .current, prefix: String = "X-App-", origins: [Origin]? = nil
    ) -> HeadersInterceptor {
        HeadersInterceptor(app.fields(prefix: prefix), origins: origins)
    }

    /// Returns true: the interceptor waits only for `next`.
    public var endsByDeadline: Bool { true }

    /// Returns whether one of the fields may identify the user.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { defaults.havePersonal(naming: request.context.harmlessFields) }

    /// Adds the missing fields and sends the request.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var sent = request
        add(to: &sent)
        return try await next(sent)
    }

    // Not inlined: its temporaries would be part of the frame of each waiting call.
    @inline(never)
    private func add(to request: inout HTTPRequest) {
        if defaults.haveAgent, request.headers[.userAgent] == DefaultFields.agent { request.headers.remove(.userAgent) }
        defaults.add(to: &request)
    }
}

/// Header fields that are added to requests that lack them: all of them for the app's own origins, and `User-Agent` for all others.
///
/// The fields of a client's configuration and those of a `HeadersInterceptor` are added by it.
struct DefaultFields: Sendable {
    private let fields: HTTPFields
    private let agent: HTTPFields
    private let origins: [Origin]?

    /// The `User-Agent` of a client that sets none.
    static let agent = "Martlet"

    /// No fields.
    static let none = DefaultFields([:])

    /// Creates fields for the given origins.
    ///
    /// - Parameter origins: The origins that receive fields other than `User-Agent`. Default: nil, the origin of the client's base URL, and
    ///   without a base URL every origin until another one has chosen the target.
    init(_ fields: HTTPFields, origins: [Origin]? = nil) {
        self.fields = fields
        self.origins = origins
        agent = fields[.userAgent].map { [.userAgent: $0] } ?? [:]
    }

    /// Whether `User-Agent` is one of the fields.
    var haveAgent: Bool { !agent.isEmpty }

    /// Whether a field may identify the user.
    func havePersonal(naming names: Set<HTTPFieldName>) -> Bool { fields.hasPersonal(naming: names) }

    /// Adds the missing fields to a request.
    func add(to request: inout HTTPRequest) {
        let isOwn = isOwn(request.origin, base: request.context.baseOrigin, request.context)
        request.headers.addMissing(isOwn ? fields : agent)
    }

    /// Adds the missing fields to those of a request that is being created.
    ///
    /// - Parameters:
    ///   - target: The URL of the request.
    ///   - checked: The origin of the URL if it was checked.
    func add(to headers: inout HTTPFields, target: RequestURL, checked: CheckedOrigin?, base: BaseURL?, _ context: RequestContext) {
        // Requests with a path have the very origin of the base URL, and are not compared.
        let isBelowBase = checked != nil && checked === base?.checkedOrigin
        let isOwn = isBelowBase || isOwn(checked?.origin ?? Origin(target.url), base: base?.origin, context)
        headers.addMissing(isOwn ? fields : agent)
    }

    private func isOwn(_ origin: @autoclosure () -> Origin?, base: Origin?, _ context: RequestContext) -> Bool {
        // A server at another origin may have chosen the target, also one at the app's own origin.
        let passed = context.passedOrigins
        if let origins { return passed.allSatisfy(origins.contains) && origin().map(origins.contains) ?? false }
        guard let base else { return passed.isEmpty }
        return passed.allSatisfy { $0 == base } && origin() == base
    }
}
