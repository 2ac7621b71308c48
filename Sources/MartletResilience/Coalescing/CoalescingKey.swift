internal import MartletEssentials

/// The key of a request in flight. Requests with equal keys may share one response.
struct CoalescingKey: Hashable, Sendable {
    let method: HTTPMethod
    let url: String
    /// All fields, on which the representation may depend, except those of single calls.
    let headers: HTTPFields
    let limits: ResponseLimits
    /// To whom the response belongs.
    let identity: RequestIdentity
    /// The transport, which may have credentials of its own, such as a client certificate.
    let transport: ObjectIdentifier?

    /// Creates the key of a request, or returns nil if its response can't be shared.
    ///
    /// - Parameter ignored: The fields that may differ.
    init?(_ request: HTTPRequest, ignoring ignored: Set<HTTPFieldName>) {
        guard request.method == .get || request.method == .head, request.body == nil, request.context.delivery == .buffered,
            request.context.cachePolicy != .reload
        else { return nil }
        method = request.method
        url = request.urlText
        var headers = request.headers
        for name in ignored { headers.remove(name) }
        self.headers = headers
        limits = request.context.limits
        identity = RequestIdentity(of: request, naming: ignored)
        transport = (request.context.services as? ClientServices)?.transportID
    }
}
