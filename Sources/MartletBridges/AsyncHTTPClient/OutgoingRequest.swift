#if AsyncHTTPClient
internal import MartletCodings
internal import MartletEssentials
internal import MartletHTTP
internal import NIOHTTP1

/// A request as async-http-client sends it, decided before anything is sent.
struct OutgoingRequest: Sendable {
    /// The source of a request's body.
    enum Body: Sendable {
        case none
        /// Few bytes, which are sent in one write.
        case bytes(Data)
        /// A stream, a file, or many bytes, whose sending an early response may end. Without a length it is sent in chunks.
        case chunks(HTTPBody, length: Int64?)
    }

    /// The size of the largest body that is sent in one write: the bytes that NIO keeps for a connection before it asks to wait.
    static let maxWhole = 64 * 1024

    let url: String
    /// The URL as a value, if it need not be parsed for that.
    let parsedURL: URL?
    let method: NIOHTTP1::HTTPMethod
    private(set) var headers: HTTPHeaders
    let body: Body
    /// Whether the response's content codings are decoded.
    let decodes: Bool

    /// - Parameter route: How the transport reaches servers.
    /// - Throws: `.invalidRequest` or `.invalidURL` for what can't be sent unchanged, and `.engineUnavailable` for TLS over a socket.
    init(_ request: HTTPRequest, route: ClientRoute = ClientRoute()) throws(HTTPError) {
        let text = try RequestCheck.url(of: request)
        if route.unixSocket != nil, text.prefix(5).equalsIgnoringCase("https") {
            throw .engineUnavailable("async-http-client can't check a server's certificate over a Unix domain socket: use an http URL")
        }
        if request.body?.hasTrailers == true { throw .invalidRequest("async-http-client can't send trailers: use CurlTransport") }
        url = route.url(for: text)
        parsedURL = request.parsedURL.flatMap { [url] in $0.baseURL == nil && $0.absoluteString == url ? $0 : nil }
        method = NIOHTTP1::HTTPMethod(rawValue: request.method.rawValue)
        body = OutgoingRequest.body(of: request)
        let wants = try OutgoingRequest.fields(of: request)
        headers = wants.headers
        decodes = !wants.isRaw
        // async-http-client would add none for a socket.
        if route.unixSocket != nil, !wants.hasHost { headers.add(name: "Host", value: OutgoingRequest.authority(of: text)) }
        if decodes, !wants.hasAcceptEncoding, let accepted = ContentCoding.accepted {
            headers.add(name: "Accept-Encoding", value: accepted)
        }
    }

    private struct Fields {
        var headers = HTTPHeaders()
        var hasHost = false
        var hasAcceptEncoding = false
        /// Whether the request sets `Range`, or an `Accept-Encoding` other than `identity`: the body is passed on coded.
        var isRaw = false
    }

    /// Returns the fields without those that async-http-client writes from the body.
    private static func fields(of request: HTTPRequest) throws(HTTPError) -> Fields {
        var fields = Fields()
        fields.headers.reserveCapacity(request.headers.count + 2)
        var problem: HTTPError?
        request.headers.forEachLineOfBytes { name, value in
            // NIO's fields are text in UTF-8: other bytes would arrive changed.
            guard let text = String(validUTF8: value) else {
                let name = String(decoding: name, as: UTF8.self)
                problem = .invalidRequest(
                    Explanation("the value of \(name) is not UTF-8, which async-http-client can't send unchanged: encode it"))
                return
            }
            let name = String(decoding: name, as: UTF8.self)
            switch name.utf8.count {
            case 4 where name.equalsIgnoringCase("Host"): fields.hasHost = true
            case 5 where name.equalsIgnoringCase("Range"): fields.isRaw = true
            case 14 where name.equalsIgnoringCase("Content-Length"): return
            case 15 where name.equalsIgnoringCase("Accept-Encoding"):
                fields.hasAcceptEncoding = true
                // A request for no coding wants plain content, so a body that the server codes anyway is decoded.
                if !text.equalsIgnoringCase("identity") { fields.isRaw = true }
            case 17 where name.equalsIgnoringCase("Transfer-Encoding"): return
            default: break
            }
            fields.headers.add(name: name, value: text)
        }
        if let problem { throw problem }
        return fields
    }

    private static func body(of request: HTTPRequest) -> Body {
        guard let body = request.body, body.length != 0 else { return .none }
        guard let bytes = body.buffered, bytes.count <= maxWhole else { return .chunks(body, length: body.length) }
        return .bytes(bytes)
    }

    /// Returns the host and port of a URL without its scheme's default port.
    private static func authority(of url: String) -> String {
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...].prefix { !"/?#".contains($0) }
        let isSecure = url.prefix(5).equalsIgnoringCase("https")
        return rest.hasSuffix(isSecure ? ":443" : ":80") ? String(rest.dropLast(isSecure ? 4 : 3)) : String(rest)
    }
}

/// How a transport reaches servers: the parts of its configuration that change a request's URL.
struct ClientRoute: Sendable, Hashable {
    /// The path of the socket to which all requests go.
    var unixSocket: String?
    /// The addresses of host names, whose keys are in lower case.
    var addresses: [String: String] = [:]

    /// Returns the URL that is given to async-http-client.
    func url(for text: String) -> String {
        if let unixSocket {
            return "http+unix://\(PercentEncoding.escape(unixSocket))\(TargetURI.originForm(of: text))"
        }
        // Names are compared with regard to case there.
        guard !addresses.isEmpty else { return text }
        let origin = text.originPart
        return origin + text.dropFirst(origin.count)
    }
}
#endif
