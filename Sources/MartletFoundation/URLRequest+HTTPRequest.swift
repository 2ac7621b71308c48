public import MartletClient
internal import MartletURLSession

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// Creates the request of the URL loading system for an endpoint or a ``Request``, in one step.
    ///
    /// ```swift
    /// let request = try URLRequest(GetUser(id: 7), baseURL: api)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint. A body from a file or stream is left out, because an upload task takes it.
    ///   - baseURL: the URL that its path is relative to.
    ///   - encoder: encodes the body, query or form. Default: `.json`.
    /// - Throws: what sending the endpoint throws before the first byte: `.invalidURL`, `.invalidRequest`, `.encodingFailed`.
    public init<E: Endpoint>(_ endpoint: E, baseURL: URL? = nil, encoder: any BodyEncoder = .json) throws(HTTPError) {
        try self.init(
            endpoint.request(baseURL: baseURL, accept: endpoint.decoding.usesDecoder ? "application/json" : "*/*", encoder: encoder))
    }

    /// A request of the URL loading system with the method, URL and fields of an ``HTTPRequest``, and its body when that is in memory.
    ///
    /// Throws `.invalidURL` and `.invalidRequest` for what can't be sent: on Linux a line break in a name or method would be written to
    /// the wire as it is, `get` would be sent as `GET`, and a path with the segments `.` or `..` as another path. Fields of the same name
    /// are joined with a comma; `Content-Length` is left to the URL loading system. A file or stream is left out, for it is given to an
    /// upload task.
    ///
    /// - Parameter request: what `Request.httpRequest(baseURL:)` gives, or one made by hand.
    public init(_ request: HTTPRequest) throws(HTTPError) {
        try self.init(withoutBodyOf: request)
        if let body = request.body?.buffered, !body.isEmpty { httpBody = body }
    }
}

extension HTTPURLResponse {
    /// Creates a response of the URL loading system with the status and header fields of a response. Returns nil if its URL is unknown.
    ///
    /// Fields of the same name are joined with a comma.
    public convenience init?<Body>(_ response: HTTPResponse<Body>) {
        guard let url = response.metadata.url else { return nil }
        var fields: [String: String] = [:]
        for field in response.headers { fields[field.name.rawName] = response.headers[field.name] }
        self.init(url: url, statusCode: response.status.rawValue, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
