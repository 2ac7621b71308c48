import Foundation
import MartletSystem
import MartletTesting
import MartletURLSession

extension URLSessionTransport {
    /// Sends, reads the body, and gives the error if there was one.
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

    /// A request whose answer is wanted as it arrives.
    func streamed(_ path: String = "") -> HTTPRequest {
        var request = request(path)
        request.context.delivery = .streamed
        return request
    }
}

/// Opens once; who waits for it goes on then.
final class Gate: Sendable {
    private let opening = OneShot<Void>()

    func open() { opening.set(()) }

    func opened() async { await opening.value() }
}
