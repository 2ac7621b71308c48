internal import MartletEssentials
internal import MartletHTTP

/// A request with what libcurl needs to send it.
struct OutgoingRequest {
    let request: HTTPRequest
    let url: String
    let route: Route
    /// The scheme, host and port, or the proxy: requests with the same value share a queue.
    let origin: String

    init(_ request: borrowing HTTPRequest, url: String, route: Route) {
        // libcurl counts all plain-http connections to a proxy together, whatever the origin.
        let ownOrigin = request.checkedOrigin?.text ?? url.originPart
        origin = route.proxy.map { ownOrigin.hasPrefix("http:") ? "via \($0.url.absoluteString)" : ownOrigin } ?? ownOrigin
        self.request = copy request
        self.url = url
        self.route = route
    }
}
