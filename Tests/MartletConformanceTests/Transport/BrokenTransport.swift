import Foundation
import Martlet
import MartletSystem
import MartletTesting
import TestSupport

/// A transport with one fault, over the platform's transport.
struct BrokenTransport: Transport {
    typealias Send = @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    private let transport = ownTransport()
    private let behaviour: @Sendable (HTTPRequest, Send) async throws(HTTPError) -> HTTPResponse<HTTPBody>

    init(_ behaviour: @escaping @Sendable (HTTPRequest, Send) async throws(HTTPError) -> HTTPResponse<HTTPBody>) {
        self.behaviour = behaviour
    }

    var opensWebSockets: Bool { true }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await behaviour(request, transport.send)
    }
}

extension BrokenTransport {
    /// Delays the exchanges with the first server by a second of `time` while an exchange with another server is running.
    static func delayingNeighbours(_ time: ManualTime) -> Self {
        let state = Locked<(near: Int?, others: Int)>((nil, 0))
        return Self { request, send throws(HTTPError) in
            let port = request.url.port
            let isNear = state.withLock { state in
                state.near = state.near ?? port
                if state.near != port { state.others += 1 }
                return state.near == port
            }
            guard isNear else {
                _ = try? await send(request)
                try? await time.sleep(for: .seconds(60))
                state.withLock { $0.others -= 1 }
                throw .cancelled
            }
            let response = try await send(request)
            if state.withLock({ $0.others > 0 }) { time.advance(by: .seconds(1)) }
            return response
        }
    }

    /// Returns an empty response to every request without sending anything.
    static var yesSayer: Self { Self { _, _ throws(HTTPError) in HTTPResponse(status: 200, body: .empty) } }

    /// Rejects every request.
    static var naySayer: Self { Self { _, _ throws(HTTPError) in throw .invalidRequest("no") } }

    /// Never ends, even if cancelled.
    static func hanging(_ asked: @escaping @Sendable () -> Void = {}) -> Self {
        Self { _, _ throws(HTTPError) in
            asked()
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            throw .cancelled
        }
    }

    /// Keeps one line of each field name.
    static var mergingFields: Self {
        Self { request, send throws(HTTPError) in
            var response = try await send(request)
            var merged = HTTPFields()
            for field in response.headers { merged[field.name] = field.value }
            response.headers = merged
            return response
        }
    }

    /// Follows a redirect like a browser.
    static var followingRedirects: Self {
        Self { request, send throws(HTTPError) in
            let response = try await send(request)
            guard let location = response.headers[.location], let url = URL(string: location, relativeTo: request.url) else {
                return response
            }
            return try await send(HTTPRequest(url: url.absoluteURL))
        }
    }

    /// Accepts the end of a connection as the end of a body.
    static var takingShortBodies: Self {
        Self { request, send throws(HTTPError) in
            var streamed = request
            streamed.context.streamsBody = true
            var response = try await send(streamed)
            var bytes = Data()
            var iterator = response.body.makeAsyncIterator()
            while let chunk = try? await iterator.next() { bytes.append(chunk) }
            response.body = HTTPBody(bytes)
            return response
        }
    }

    /// Ignores cancellation.
    static var ignoringCancellation: Self {
        let transport = ownTransport()
        return Self { request, _ throws(HTTPError) in
            let task = Task { () -> Result<HTTPResponse<HTTPBody>, HTTPError> in
                do throws(HTTPError) { return .success(try await transport.send(request)) } catch { return .failure(error) }
            }
            return try await task.value.get()
        }
    }

    /// Sends a failed request once more.
    static var resending: Self {
        Self { request, send throws(HTTPError) in
            do { return try await send(request) } catch { return try await send(request) }
        }
    }

    /// Ignores the limits of requests.
    static var withoutLimits: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            request.context.limits = ResponseLimits(bodyBytes: 1_000_000_000, headBytes: 1_000_000_000, fieldCount: 1_000_000)
            return try await send(request)
        }
    }

    /// Requests codings and does not decode them.
    static var leavingCodings: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            request.headers.addMissing([.acceptEncoding: "gzip, deflate, br, zstd"])
            return try await send(request)
        }
    }

    /// Opens a new connection for every request.
    static var closingConnections: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            request.headers[.connection] = "close"
            return try await send(request)
        }
    }

    /// Reports every failure as the same error.
    static var vague: Self {
        Self { request, send throws(HTTPError) in
            do { return try await send(request) } catch { throw .networkError(NetworkFailure(.other)) }
        }
    }

    /// Sends a request for an upgrade as an ordinary one.
    static var forgettingUpgrades: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            request.context.upgrade = nil
            return try await send(request)
        }
    }

    /// Rounds timeouts to whole seconds.
    static var rounding: Self {
        Self { request, send throws(HTTPError) in
            if let deadline = request.context.deadline, deadline - .now < .seconds(1) { throw .timeout }
            return try await send(request)
        }
    }

    /// Reads a stream completely before it returns the response.
    static var collecting: Self {
        Self { request, send throws(HTTPError) in
            var response = try await send(request)
            response.body = HTTPBody(try await response.body.collect(upTo: 1_000_000_000))
            return response
        }
    }

    /// Adds fields that the request does not have.
    static var inventing: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            if request.body != nil { request.headers.addMissing([.contentType: "application/x-www-form-urlencoded"]) }
            return try await send(request)
        }
    }

    /// Normalises paths.
    static var tidying: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            request.url = request.url.standardized
            return try await send(request)
        }
    }

    /// Inverts a byte of what it sends and of what it receives.
    static var garbling: Self {
        Self { request, send throws(HTTPError) in
            var request = request
            if let body = request.body { request.body = HTTPBody(garbled(try await body.collect())) }
            var response = try await send(request)
            response.body = HTTPBody(garbled(try await response.body.collect()))
            return response
        }
    }

    private static func garbled(_ data: Data) -> Data {
        guard let last = data.indices.last else { return data }
        var data = data
        data[last] ^= 1
        return data
    }
}
