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
    ///   - fields: the fields.
    ///   - origins: the origins that receive fields other than `User-Agent`. Default: nil, the origin of the client's base URL.
    public init(_ fields: HTTPFields, origins: [Origin]? = nil) {
        defaults = DefaultFields(fields, origins: origins)
    }

    /// Returns an interceptor that adds the app's metadata as header fields, such as `User-Agent`, `Accept-Language` and `X-App-Version`.
    ///
    /// - Parameters:
    ///   - app: the app's metadata. Default: that of this program. See ``AppMetadata/fields(prefix:)``.
    ///   - prefix: the prefix of the names of the app's own fields. Default: `X-App-`.
    ///   - origins: the origins that receive fields other than `User-Agent`. Default: nil, the origin of the client's base URL.
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
        if defaults.haveAgent, request.headers[.userAgent] == UserAgent.default { request.headers.remove(.userAgent) }
        defaults.add(to: &request)
    }
}
