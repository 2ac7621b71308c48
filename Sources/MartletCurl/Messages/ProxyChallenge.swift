internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP

/// The challenge of a proxy that refuses a tunnel with 407 (RFC 9110 §11.7.1).
struct ProxyChallenge: Hashable {
    /// The lines of `Proxy-Authenticate`. The proxy's other fields do not describe the origin server.
    let lines: [String]

    /// Reads the challenge from a proxy's response to `CONNECT`. Returns nil if the status is not 407.
    init?(_ head: inout ResponseHead) {
        guard head.isComplete, head.status == .proxyAuthenticationRequired else { return nil }
        lines = head.takeFields().values(for: .proxyAuthenticate)
    }

    init(lines: [String]) { self.lines = lines }

    /// The error for the challenge. It equals the error of a request that uses the proxy without a tunnel.
    ///
    /// It is thrown and not returned as a response, because the proxy is not the origin server: its response must not be cached and must
    /// not set cookies.
    var error: HTTPError {
        var fields = HTTPFields()
        for line in lines { fields.append(.proxyAuthenticate, line) }
        return .statusCode(HTTPResponse(status: .proxyAuthenticationRequired, headers: fields, body: Data()))
    }
}
