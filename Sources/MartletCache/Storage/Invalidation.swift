/// Whose stored responses an answer makes worthless (RFC 9111 §4.4).
enum Invalidation {
    /// The targets: that of an unsafe request that has not failed, and those of the same origin that `Location` and `Content-Location` name.
    static func targets(of request: HTTPRequest, _ response: HTTPResponse<Void>) -> [String] {
        guard !request.method.isSafe, (200...399).contains(response.status.rawValue) else { return [] }
        // Without an origin, nothing is of the same one.
        let origin = Origin(request.url)
        let named = [HTTPFieldName.location, .contentLocation].flatMap { response.headers.values(for: $0) }
            .compactMap { URLReference.resolve($0, against: request.url) }.filter { origin != nil && Origin($0) == origin }
        let host = TargetURI.host(of: request)
        var seen: Set<String> = []
        return ([request.url] + named).map { TargetURI.uri(of: $0, host: host) }.filter { seen.insert($0).inserted }
    }
}
