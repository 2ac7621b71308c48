internal import MartletEssentials

/// The key of a request in flight. Requests with equal keys may share one response.
struct CoalescingKey: Hashable, Sendable {
    let method: HTTPMethod
    let url: String
    /// All fields, which include the credentials and the effective authority (`Host`), except those of single calls.
    let headers: HTTPFields
    let limits: ResponseLimits
    /// The digest of the request's credentials.
    let credentials: CredentialDigest
    /// The transport, which may have credentials of its own, such as a client certificate.
    let transport: ObjectIdentifier?

    /// Creates the key of a request, or returns nil if its response can't be shared.
    ///
    /// - Parameter ignored: The fields that may differ.
    init?(_ request: HTTPRequest, ignoring ignored: [HTTPFieldName]) {
        guard request.method == .get || request.method == .head, request.body == nil, request.context.delivery == .buffered,
            request.context.cachePolicy != .reload
        else { return nil }
        method = request.method
        url = request.urlText
        var headers = request.headers
        for name in ignored { headers.remove(name) }
        self.headers = headers
        limits = request.context.limits
        credentials = CredentialDigest(of: request)
        transport = (request.context.services as? ClientServices)?.transportID
    }
}
