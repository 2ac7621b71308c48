#if SwiftHTTPTypes
public import HTTPTypes
internal import MartletEssentials
public import MartletHTTP

extension HTTPMethod {
    /// Creates the same method from a method of swift-http-types.
    public init(_ method: HTTPTypes::HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTPTypes::HTTPRequest.Method {
    // Disfavored, because a literal can be either type.
    /// Creates the same method from a method of Martlet.
    ///
    /// - Throws: `.invalidRequest` for a method that is not a token.
    @_disfavoredOverload
    public init(_ method: HTTPMethod) throws(HTTPError) {
        guard let same = Self(rawValue: method.rawValue) else {
            throw .invalidRequest(Explanation("the method is not a token: “\(Redaction.line(method.rawValue, limit: 40))”"))
        }
        self = same
    }
}

extension HTTPStatus {
    /// Creates the same status from a status of swift-http-types. Its reason phrase, which HTTP/2 does not have, is not stored.
    public init(_ status: HTTPTypes::HTTPResponse.Status) { self.init(rawValue: status.code) }
}

extension HTTPTypes::HTTPResponse.Status {
    /// Creates the same status from a status of Martlet, with the registered reason phrase.
    ///
    /// - Throws: `.invalidResponse` for a code outside the range from 0 to 999.
    public init(_ status: HTTPStatus) throws(HTTPError) {
        guard (0...999).contains(status.rawValue) else {
            throw .invalidResponse(Explanation("\(status.rawValue) is not a status of three digits"))
        }
        self.init(code: status.rawValue, reasonPhrase: status.reasonPhrase)
    }
}

// MARK: - Requests

extension MartletHTTP::HTTPRequest {
    /// Creates the same request from a request of swift-http-types, with a body.
    ///
    /// The scheme, the authority and the path with its query become the URL, without any change. See ``MartletHTTP/HTTPFields`` for the
    /// header fields.
    ///
    /// - Throws: `.invalidURL` if one of the three is missing, or if they do not form a URL that contains each of them unchanged.
    ///   `.invalidRequest` for fields that can't be converted, and for the protocol of an extended CONNECT.
    public init(_ request: HTTPTypes::HTTPRequest, body: HTTPBody? = nil) throws(HTTPError) {
        try self.init(
            method: HTTPMethod(request.method), url: request.exactURL(), headers: MartletHTTP::HTTPFields(request.headerFields), body: body)
    }
}

extension HTTPTypes::HTTPRequest {
    /// Creates the same request from the method, the URL and the header fields of a request of Martlet, without its body and context.
    ///
    /// The parts of the URL are not changed. An empty path becomes `/`, which is sent for it.
    ///
    /// - Throws: `.invalidURL` for a URL with a fragment or a user's name, or without a host. `.invalidRequest` for a method or fields that
    ///   can't be converted.
    public init(_ request: MartletHTTP::HTTPRequest) throws(HTTPError) {
        let text = request.urlText
        guard let parts = TargetParts(text), !parts.authority.isEmpty else {
            throw .invalidURL(Explanation("the URL has no scheme or no host: \(Redaction.url(request.url))"))
        }
        if parts.hasFragment { throw .invalidURL(Explanation("a request can't have a fragment: \(Redaction.url(request.url))")) }
        guard !parts.authority.utf8.contains(UInt8(ascii: "@")) else {
            throw .invalidURL(Explanation("the URL has a user's name or password: \(Redaction.url(request.url))"))
        }
        try self.init(
            method: Method(request.method), scheme: String(parts.scheme), authority: String(parts.authority), path: request.target,
            headerFields: HTTPTypes::HTTPFields(request.headers))
    }

    /// Returns the URL of the scheme, authority and path. Throws unless it contains each of them unchanged.
    func exactURL() throws(HTTPError) -> URL {
        try checkProtocol()
        guard let scheme, let authority, let path else {
            let missing = [scheme == nil ? "scheme" : nil, authority == nil ? "authority" : nil, path == nil ? "path" : nil]
            throw .invalidURL(Explanation("the request has no \(missing.compactMap(\.self).joined(separator: ", no "))"))
        }
        let text = scheme + "://" + authority + path
        guard let parts = TargetParts(text), !parts.hasFragment, scheme.hasSameBytes(as: String(parts.scheme)),
            authority.hasSameBytes(as: String(parts.authority)), path.hasSameBytes(as: String(parts.path)),
            let url = URL(string: text), url.absoluteString.hasSameBytes(as: text)
        else { throw .invalidURL(Explanation("the scheme, authority and path are not those of a URL: \(Redaction.address(text))")) }
        return url
    }

    /// Throws for an extended CONNECT (RFC 8441), which Martlet does not have.
    func checkProtocol() throws(HTTPError) {
        if extendedConnectProtocol != nil { throw .invalidRequest("an extended CONNECT can't be converted") }
    }
}

/// The parts of an absolute URL's text as they are, without any normalisation.
private struct TargetParts {
    let scheme: Substring
    let authority: Substring
    /// The path and the query.
    let path: Substring
    let hasFragment: Bool

    init?(_ text: String) {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else { return nil }
        let start = bytes.index(colon, offsetBy: 3)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        guard start <= end else { return nil }
        let pathStart = bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
        scheme = text[..<colon]
        authority = text[start..<pathStart]
        path = text[pathStart..<end]
        hasFragment = end != bytes.endIndex
    }
}

// MARK: - Responses

extension MartletHTTP::HTTPResponse {
    /// Creates a response with the status and the header fields of a response of swift-http-types, and a body.
    ///
    /// - Throws: `.invalidRequest` for fields that can't be converted.
    public init(_ response: HTTPTypes::HTTPResponse, body: Body) throws(HTTPError) {
        try self.init(
            status: HTTPStatus(response.status), headers: MartletHTTP::HTTPFields(response.headerFields), body: body)
    }
}

extension HTTPTypes::HTTPResponse {
    /// Creates the same response from the status and the header fields of a response of Martlet, without its body and metadata.
    ///
    /// - Throws: `.invalidResponse` for a status outside the range from 0 to 999, and for fields that can't be converted.
    public init<Body>(_ response: MartletHTTP::HTTPResponse<Body>) throws(HTTPError) {
        do throws(HTTPError) {
            try self.init(status: Status(response.status), headerFields: HTTPTypes::HTTPFields(response.headers))
        } catch {
            guard case .invalidRequest(let explanation) = error else { throw error }
            throw .invalidResponse(explanation)
        }
    }
}
#endif
