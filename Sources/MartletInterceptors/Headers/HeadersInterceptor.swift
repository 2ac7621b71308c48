/// Adds fields to each request that does not have them: a field set by hand wins.
///
/// ```swift
/// HeadersInterceptor(["X-App": "1", "Accept-Language": "en"])
/// HeadersInterceptor.app(.current)
/// ```
///
/// The client's own default `User-Agent` is nobody's choice, and gives way. A name or value that could inject a line is refused, with
/// `.invalidRequest`, when a request is sent. Fields with credentials belong into an `AuthInterceptor`, which knows their origin: here
/// they are left out where another origin has chosen the target, by a redirect or the link of a page.
public struct HeadersInterceptor: Interceptor, CredentialAddingInterceptor {
    private let fields: HTTPFields

    /// An interceptor that adds fields.
    public init(_ fields: HTTPFields) { self.fields = fields }

    /// An interceptor that says which app is asking: `User-Agent`, `Accept-Language`, and `X-App-Name`, `-Version`, `-Build` and
    /// `-Platform`, of those parts that are known. See ``AppMetadata/fields(prefix:)``.
    public static func app(_ app: AppMetadata = .current, prefix: String = "X-App-") -> HeadersInterceptor {
        HeadersInterceptor(app.fields(prefix: prefix))
    }

    /// Returns whether a credential is among the fields.
    package func mayAddCredential(to request: HTTPRequest) -> Bool {
        var others = fields
        others.removeCredentials()
        return others.count != fields.count
    }

    /// Adds what is missing and sends the request on.
    public func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        var request = request
        var fields = fields
        if !request.context.passedOrigins.isEmpty { fields.removeCredentials() }
        if fields.contains(.userAgent), request.headers[.userAgent] == UserAgent.default { request.headers.remove(.userAgent) }
        request.headers.addMissing(fields)
        return try await next(request)
    }
}
