public import MartletHTTP
internal import MartletURLSession

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
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
