public import MartletClient
internal import MartletURLSession

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// Creates a `URLRequest` from an endpoint or a `Request`, with its body if that is not a file or stream.
    ///
    /// ```swift
    /// let request = try URLRequest(GetUser(id: 7), baseURL: url)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. A body from a file or stream is omitted, because it must be passed to an upload task.
    ///   - baseURL: The URL that the path is relative to. Default: nil.
    ///   - encoder: The encoder for the body, query or form. Default: `.json`.
    /// - Throws: The errors of sending the endpoint before the first byte: `.invalidURL`, `.invalidRequest` or `.encodingFailed`.
    public init<E: Endpoint>(_ endpoint: E, baseURL: URL? = nil, encoder: any BodyEncoder = .json) throws(HTTPError) {
        try self.init(
            endpoint.request(baseURL: baseURL, accept: endpoint.decoding.usesDecoder ? "application/json" : "*/*", encoder: encoder))
    }

    /// Creates a `URLRequest` with the method, URL and header fields of an `HTTPRequest`, and its body if that is in memory.
    ///
    /// Fields of the same name are joined with a comma, and the URL loading system writes `Content-Length`. A body from a file or stream is
    /// omitted, because it must be passed to an upload task.
    ///
    /// - Parameter request: A request, such as the result of `Request.httpRequest(baseURL:)`.
    /// - Throws: `.invalidURL` or `.invalidRequest` if the request can't be sent. On Linux, FoundationNetworking would write a line break
    ///   in a name or method to the wire, send `get` as `GET`, and send a path with the segments `.` or `..` as another path.
    public init(_ request: HTTPRequest) throws(HTTPError) {
        try self.init(withoutBodyOf: request)
        if let body = request.body?.buffered, !body.isEmpty { httpBody = body }
    }
}

extension HTTPURLResponse {
    /// Creates an `HTTPURLResponse` with the status and header fields of a response, or returns nil if the URL of the response is unknown.
    ///
    /// Fields of the same name are joined with a comma.
    public convenience init?<Body>(_ response: HTTPResponse<Body>) {
        guard let url = response.metadata.url else { return nil }
        var fields: [String: String] = [:]
        for field in response.headers { fields[field.name.rawName] = response.headers[field.name] }
        self.init(url: url, statusCode: response.status.rawValue, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
