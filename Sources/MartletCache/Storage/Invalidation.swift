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
