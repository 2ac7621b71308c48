internal import CMartletCurl
internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a proxy asks for when it refuses a tunnel with 407 (RFC 9110 §11.7.1).
struct ProxyChallenge: Hashable {
    /// Each line of `Proxy-Authenticate`. Other fields of the proxy say nothing about the server that was asked.
    let lines: [String]

    /// The challenge in a proxy's response to `CONNECT`; nil when it is not one.
    init?(_ head: inout ResponseHead) {
        guard head.isComplete, head.status == .proxyAuthenticationRequired else { return nil }
        lines = head.takeFields().values(for: .proxyAuthenticate)
    }

    init(lines: [String]) { self.lines = lines }

    /// The same error that a request without a tunnel leads to.
    ///
    /// Thrown and not returned: whoever answers a `CONNECT` is not the server, and its response must be neither cached nor set cookies.
    var error: HTTPError {
        var fields = HTTPFields()
        for line in lines { fields.append(.proxyAuthenticate, line) }
        return .statusCode(HTTPResponse(status: .proxyAuthenticationRequired, headers: fields, body: Data()))
    }
}
