import Foundation
import MartletTesting
import Testing

@Suite("Interceptor: run", .timeLimit(.minutes(5)))
struct InterceptorRunTests {
    private let request = HTTPRequest(url: URL(string: "https://api.example/x")!)

    @Test("An interceptor that runs alone sends its requests to the closure and inherits the clock")
    func run() async throws {
        let time = ManualTime(), policy = RetryPolicy(maxAttempts: 2, backoff: .exponential(base: .seconds(1), factor: 2, jitter: .none))
        let (response, sent) = try await RetryInterceptor(policy).run(request, time: time) {
            $0.context.attempt == 0 ? .status(503) : .text("a")
        }
        #expect(sent.count == 2 && response.status == 503)
        #expect(time.sleeps == [.seconds(1)])
    }

    @Test("A run throws the errors that a client would throw")
    func failure() async {
        struct Broken: Interceptor, Error {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { throw self }
        }
        let error = await #expect(throws: HTTPError.self) { try await Broken().run(request) { _ in .status(200) } }
        guard case .interceptorFailed = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("A mock with default empty responses returns 204 for calls without a stub")
    func empty() async throws {
        struct Count: Decodable, Sendable { let count: Int }
        let mock = HTTPClientMock()
        await #expect(throws: HTTPError.self) { try await mock.send(Request<EmptyResponse>.get("x")) }
        mock.defaultsToEmpty = true
        try await mock.send(Request<EmptyResponse>.get("x"))
        #expect(try await mock.send(Request<Count?>.get("x"))?.count == nil)
        await #expect(throws: HTTPError.noData) { try await mock.send(Request<Count>.get("x")) }
    }

    @Test("A mock's errors decode their bodies with its decoder")
    func errorBody() async throws {
        struct Refusal: Decodable, Sendable, Equatable { let reasonCode: Int }
        struct Pay: Endpoint {
            typealias ErrorBody = Refusal
            var path: Path { "pay" }
        }
        let mock = HTTPClientMock(decoder: .snakeCase)
        mock.on(Pay.self, .status(402, body: Data(#"{"reason_code":7}"#.utf8)))
        let error = await #expect(throws: HTTPError.self) { try await mock.send(Pay()) }
        #expect(error?.decoded(for: Pay.self) == Refusal(reasonCode: 7))
    }
}
