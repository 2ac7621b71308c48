import Foundation
import MartletTesting
import Testing

@testable import MartletClient

/// Errors of bodies that are streamed to or from the server.
@Suite(.timeLimit(.minutes(5))) struct StreamErrorTests {
    private struct Failure: Error, Equatable {}

    /// Replaces the body of the response.
    private struct Replaces: Interceptor {
        let body: @Sendable () -> HTTPBody
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            try await next(request).map { _ in body() }
        }
    }

    /// Replaces the body of the request with a stream.
    private struct Uploads: Interceptor {
        let body: @Sendable () -> HTTPBody
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.body = body()
            return try await next(request)
        }
    }

    /// Reads the body of the request, as a transport does that sends it.
    private struct Reads: Transport {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            let body = try await request.body?.collect() ?? Data()
            return HTTPResponse(status: .ok, body: HTTPBody(body))
        }
    }

    private func client(_ transport: any Transport, _ interceptors: [any Interceptor] = []) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: transport, interceptors: interceptors)
    }

    private func names(_ error: HTTPError?) -> Bool { error?.request?.url.path == "/big" && error?.attempts == 1 && error?.stage != nil }

    @Test("The error of a second reader names the request")
    func secondReader() async throws {
        let response = try await client(MockTransport(.stream("ab", "cd"))).stream(Request<Data>.get("big"))
        _ = try await response.body.collect()
        let error = await #expect(throws: HTTPError.self) { try await response.body.collect() }
        guard case .bodyNotReplayable = error else { Issue.record("\(String(describing: error))"); return }
        #expect(names(error))
    }

    @Test("Errors of an interceptor's body name the request, past the limit and when it breaks off")
    func interceptorsBody() async throws {
        let breaking = Replaces { HTTPBody { throw HTTPError.networkError(NetworkFailure(.connectionLost)) } }
        let broken = try await client(MockTransport { _ in .status(200) }, [breaking]).stream(Request<Data>.get("big"))
        let lost = await #expect(throws: HTTPError.self) { try await broken.body.collect() }
        #expect(lost == .networkError(NetworkFailure(.connectionLost)))
        #expect(names(lost))
        let endless = Replaces { HTTPBody { Data(count: 10) } }
        let long = try await client(MockTransport { _ in .status(200) }, [endless]).stream(Request<Data>.get("big"))
        let tooLarge = await #expect(throws: HTTPError.self) { try await long.body.collect(upTo: 15) }
        #expect(tooLarge == .responseTooLarge(SizeLimitFailure(limit: 15)))
        #expect(names(tooLarge))
    }

    @Test("The error of a buffered body over the limit of collect names the request")
    func buffered() async throws {
        let response = try await client(MockTransport { _ in .text("abcd") }).stream(Request<Data>.get("big"))
        let error = await #expect(throws: HTTPError.self) { try await response.body.collect(upTo: 3) }
        #expect(error == .responseTooLarge(SizeLimitFailure(limit: 3)))
    }

    @Test("An error of a request's stream is .encodingFailed with the error as its cause")
    func upload() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await client(Reads(), [Uploads { HTTPBody { throw Failure() } }]).send(Request<Data>.post("big"))
        }
        guard case .encodingFailed = error else { Issue.record("\(String(describing: error))"); return }
        #expect(error?.underlying as? Failure == Failure())
        #expect(error?.stage == .exchange)
        #expect(names(error))
    }

    @Test("An HTTPError or a cancellation of a request's stream is passed on, and so is any error of a response's stream")
    func uploadKeeps() async throws {
        let refused = await #expect(throws: HTTPError.self) {
            try await client(Reads(), [Uploads { HTTPBody { throw HTTPError.authenticationFailed("no key") } }])
                .send(Request<Data>.post("big"))
        }
        #expect(refused == .authenticationFailed("no key"))
        let cancelled = await #expect(throws: HTTPError.self) {
            try await client(Reads(), [Uploads { HTTPBody { throw CancellationError() } }]).send(Request<Data>.post("big"))
        }
        #expect(cancelled == .cancelled)
        let answer = await #expect(throws: HTTPError.self) {
            try await client(MockTransport { _ in .stream { HTTPBody { throw Failure() } } }).send(Request<Data>.get("big"))
        }
        #expect(answer == .networkError(NetworkFailure(.other)))
        #expect(answer?.underlying as? Failure == Failure())
    }

    @Test("A timeout after redirects names the request that waits, of a stream and of a buffered call", arguments: [true, false])
    func timeout(streams: Bool) async throws {
        struct Passes: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { try await next(request) }
        }
        let time = ManualTime(),
            transport = MockTransport(
                .status(302, headers: [.location: "/two"]), .status(302, headers: [.location: "https://other.example/three"]), .silence)
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: transport, interceptors: [Passes()], time: time)
        let request = Request<Data>.get("one", headers: [.authorization: "Bearer t"]).timeout(.seconds(1))
        let call = Task { () async -> HTTPError? in
            do throws(HTTPError) {
                if streams { _ = try await client.stream(request) } else { _ = try await client.send(request) }
                return nil
            } catch { return error }
        }
        try await transport.waitForRequests(3)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(1))
        let error = await call.value
        #expect(error == .timeout && error?.attempts == 3)
        #expect(error?.request?.url.absoluteString == "https://other.example/three")
        #expect(error?.request?.headers.contains(.authorization) == false)
    }

    @Test("The context tells the transport whether a redirect's body is needed", arguments: [true, false])
    func redirectBodies(follows: Bool) async throws {
        let transport = MockTransport { request in
            request.context.followsRedirects == follows ? .status(200) : .status(500)
        }
        var request = Request<Data>.get("x")
        request.options.redirects = follows ? .follow() : .none
        _ = try await client(transport).send(request)
        request.options.redirects = follows ? .clientDefault : .custom { proposed, _ in proposed }
        _ = try await client(transport).send(request)
        #expect(ResponseLimits().redirectBodyBytes == 65_536)
    }
}
