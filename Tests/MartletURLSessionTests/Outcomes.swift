import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession

extension URLSessionTransport {
    /// Sends the request, reads the body, and returns the error if there is one.
    func failure(of request: HTTPRequest) async -> HTTPError? {
        do {
            _ = try await send(request).body.collect()
            return nil
        } catch { return error }
    }
}

extension MockServer {
    func request(_ path: String = "", method: HTTPMethod = .get, headers: HTTPFields = [:], body: HTTPBody? = nil) -> HTTPRequest {
        HTTPRequest(method: method, url: url.appendingPathComponent(path), headers: headers, body: body)
    }

    /// A request with a streamed response.
    func streamed(_ path: String = "") -> HTTPRequest {
        var request = request(path)
        request.context.streamsBody = true
        return request
    }
}

/// A gate that opens once and then releases all its waiters.
final class Gate: Sendable {
    private let opening = OneShot<Void>()

    func open() { opening.set(()) }

    func opened() async { await opening.value() }
}
