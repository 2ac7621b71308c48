internal import MartletEssentials

/// Decides which responses and which of their fields are stored (RFC 9111 §3).
enum StorageRules {
    /// Whether the response to a GET may be stored (RFC 9111 §3). A partial response (206) must state its range.
    static func mayStore(_ response: HTTPResponse<Void>, to request: HTTPRequest, _ settings: CacheSettings) -> Bool {
        let status = response.status
        guard (200...999).contains(status.rawValue), status != .notModified, VaryRules.names(response.headers) != nil else { return false }
        if status == .partialContent, PartialContent.part(of: response) == nil { return false }
        let control = CacheControl(response.headers)
        if CacheControl(request.headers).forbidsStoring { return false }
        if forbids(control, status, settings) || settings.isShared && !mayShareAuthorized(control, request) { return false }
        return hasExplicitLife(response.headers, control, settings) || status.isHeuristicallyCacheable
    }

    /// Whether the response to a POST may be stored for later GETs: it needs explicit freshness, and a `Content-Location` equal to the
    /// target (RFC 9110 §9.3.3).
    static func mayStorePost(_ response: HTTPResponse<Void>, to request: HTTPRequest, _ settings: CacheSettings) -> Bool {
        let control = CacheControl(response.headers)
        guard request.method == .post, response.status == .ok, mayStore(response, to: request, settings),
            control.seconds("max-age") != .absent || response.headers.contains(.expires),
            let reference = response.headers[.contentLocation], let location = URLReference.resolve(reference, against: request.url)
        else { return false }
        return TargetURI.uri(of: location) == TargetURI.uri(of: request.url)
    }

    /// Whether a response's directives forbid storing it, for any request (RFC 9111 §5.2.2.3, §5.2.2.5, §5.2.2.7).
    static func forbids(_ control: CacheControl, _ status: HTTPStatus, _ settings: CacheSettings) -> Bool {
        if control.requiresUnderstanding, !status.isUnderstood { return true }
        if control.forbidsStoring, !control.allows("must-understand") { return true }
        return settings.isShared && control.isPrivate
    }

    private static func mayShareAuthorized(_ control: CacheControl, _ request: HTTPRequest) -> Bool {
        guard request.headers.contains(.authorization) else { return true }
        return control.isPublic || control.requiresRevalidation || control.sharedMaxAge != nil
    }

    /// Whether the server explicitly allows storing, or states the freshness.
    private static func hasExplicitLife(_ headers: HTTPFields, _ control: CacheControl, _ settings: CacheSettings) -> Bool {
        control.isPublic || !settings.isShared && control.contains("private") || control.contains("max-age")
            || headers.contains(.expires) || settings.isShared && control.sharedMaxAge != nil
    }

    /// Returns the fields to store (RFC 9111 §3.1), without those of the connection or a proxy, and without the fields named by `no-cache`
    /// and, in a shared cache, by `private`. A missing `Date` is added (RFC 9110 §6.6.1).
    static func storedFields(_ headers: HTTPFields, received: Date, _ settings: CacheSettings) -> HTTPFields {
        var fields = withoutConnection(headers)
        fields.remove(anyOf: withheldFields(CacheControl(headers), settings))
        // Without the fields for its age and freshness, the response must be validated before each use.
        if ages.contains(where: { headers.contains($0) && !fields.contains($0) }) { fields.append(.cacheControl, "no-cache") }
        if fields[.date].flatMap({ HTTPDate($0, now: received) }) == nil { fields[.date] = HTTPDate(received).description }
        return fields
    }

    private static let ages: [HTTPFieldName] = [.cacheControl, .age, .date, .expires]

    /// Returns the fields that must not be reused (RFC 9111 §5.2.2.4) or shared (§5.2.2.7).
    static func withheldFields(_ control: CacheControl, _ settings: CacheSettings) -> [HTTPFieldName] {
        control.uncachedFields + (settings.isShared ? control.privateFields : [])
    }

    /// Returns the fields except those of one connection or a proxy.
    static func withoutConnection(_ headers: HTTPFields) -> HTTPFields {
        var fields = headers
        let named = headers.values(for: .connection).flatMap { $0.split(separator: ",") }
        fields.remove(anyOf: named.map { HTTPFieldName(String($0.trimmingWhitespace)) })
        for name in connectionFields { fields.remove(name) }
        return fields
    }

    private static let connectionFields: [HTTPFieldName] = [
        .connection, "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", .proxyAuthorization, "Proxy-Connection", .te,
        .transferEncoding, "Upgrade",
    ]
}

/// Finds the targets whose stored responses a response invalidates (RFC 9111 §4.4).
enum Invalidation {
    /// Returns the target of a successful unsafe request, and the targets of the same origin in `Location` and `Content-Location`.
    static func targets(of request: HTTPRequest, _ response: HTTPResponse<Void>) -> [String] {
        guard !request.method.isSafe, (200...399).contains(response.status.rawValue) else { return [] }
        // A URL without an origin has no other target of the same origin.
        let origin = request.origin
        let named = [HTTPFieldName.location, .contentLocation].flatMap { response.headers.values(for: $0) }
            .compactMap { URLReference.resolve($0, against: request.url) }.filter { origin != nil && Origin($0) == origin }
        let host = TargetURI.host(of: request)
        var seen: Set<String> = []
        return ([request.url] + named).map { TargetURI.uri(of: $0, host: host) }.filter { seen.insert($0).inserted }
    }
}
