import Foundation
import MartletSystem
import Testing

@testable import MartletClient

private struct Broken: Error {}

/// An interceptor with a closure.
private struct With: Interceptor {
    let handle: @Sendable (HTTPRequest, Next) async throws -> HTTPResponse<HTTPBody>
    init(_ handle: @escaping @Sendable (HTTPRequest, Next) async throws -> HTTPResponse<HTTPBody>) { self.handle = handle }
    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { try await handle(request, next) }
}

/// Returns a response that names the request's fields, or throws an error.
private struct Answering: Transport {
    let error: HTTPError?

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if let error { throw error }
        return HTTPResponse(
            status: .ok, headers: ["Seen": request.headers.values(for: "X").joined(separator: " ")], body: HTTPBody("x"))
    }
}

@Suite("InterceptorChain and Next", .timeLimit(.minutes(5)))
struct InterceptorChainTests {
    private let request = HTTPRequest(url: URL(string: "https://h/")!)

    private func chain(_ interceptors: [any Interceptor], throwing error: HTTPError? = nil) -> InterceptorChain {
        InterceptorChain(interceptors, Answering(error: error))
    }

    private func adding(_ name: String) -> With {
        With { request, next in
            var request = request
            request.headers.append("X", name)
            var response = try await next(request)
            response.headers.append("Back", name)
            return response
        }
    }

    @Test("The first interceptor is the outermost: it sees the request first and the response last")
    func order() async throws {
        let response = try await chain([adding("a"), adding("b"), adding("c")]).send(request)
        #expect(response.headers["Seen"] == "a b c")
        #expect(response.headers.values(for: "Back") == ["c", "b", "a"])
    }

    @Test("Without interceptors, the exchange is called directly")
    func empty() async throws {
        #expect(chain([]).interceptors.isEmpty)
        #expect(!chain([adding("a")]).interceptors.isEmpty)
        #expect(try await chain([]).send(request).headers["Seen"] == "")
        await #expect(throws: HTTPError.timeout) { try await self.chain([], throwing: .timeout).send(self.request) }
    }

    @Test("An interceptor may return a response itself, and the ones after it never see the request")
    func shortCircuit() async throws {
        let never = With { _, _ in
            Issue.record("it should not be reached")
            throw Broken()
        }
        let answer = With { _, _ in HTTPResponse(status: .noContent, body: .empty) }
        #expect(try await chain([adding("a"), answer, never]).send(request).status == .noContent)
    }

    @Test("An interceptor may send more than once, each time through the ones after it")
    func twice() async throws {
        let calls = Locked(0)
        let twice = With { request, next in
            _ = try await next(request)
            return try await next(request)
        }
        let count = With { request, next in
            calls.withLock { $0 += 1 }
            return try await next(request)
        }
        _ = try await chain([count, twice, count, count]).send(request)
        #expect(calls.withLock { $0 } == 5)
    }

    @Test("An HTTPError passes all interceptors, completed with the request and the stage")
    func httpErrors() async throws {
        let failure = HTTPError.timeout(ErrorContext(stage: .connect, detail: "d"))
        let error = try await #require(throws: HTTPError.self) {
            try await self.chain([self.adding("a")], throwing: failure).send(self.request)
        }
        #expect(error == .timeout)
        #expect(error.context.detail == "d")
        #expect(error.stage == .connect)
        #expect(error.request?.url == request.url)
    }

    @Test("Any other error is .interceptorFailed, with the interceptor's name and the cause")
    func otherErrors() async throws {
        let failing = With { _, _ in throw Broken() }
        let error = try await #require(throws: HTTPError.self) { try await self.chain([self.adding("a"), failing]).send(self.request) }
        guard case .interceptorFailed(let failure) = error else { throw error }
        #expect(failure.text == "With")
        #expect(error.underlying is Broken)
        #expect(error.stage == .interceptor)
        #expect(error.request?.headers.values(for: "X") == ["a"])
    }

    @Test("An error of an inner interceptor is wrapped once, and an outer one can catch it as an HTTPError")
    func catching() async throws {
        let failing = With { _, _ in throw Broken() }
        let rescue = With { request, next in
            // This compiles only because `next` throws nothing but HTTPError.
            do throws(HTTPError) { return try await next(request) } catch {
                return HTTPResponse(status: .ok, headers: ["Caught": "\(error.underlying is Broken)"], body: .empty)
            }
        }
        #expect(try await chain([rescue, adding("a"), failing]).send(request).headers["Caught"] == "true")
    }

    @Test("A CancellationError is .cancelled in a cancelled task, and otherwise .interceptorFailed")
    func cancellation() async throws {
        let cancelling = With { _, _ in throw CancellationError() }
        let chain = chain([cancelling])
        let error = try await #require(throws: HTTPError.self) { try await chain.send(self.request) }
        guard case .interceptorFailed = error else { throw error }
        let request = request
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await chain.send(request)
        }
        await #expect(throws: HTTPError.cancelled) { _ = try await task.value }
    }

    @Test("An interceptor's URL-loading error is classified")
    func urlErrors() async {
        struct LoadingError: Error {
            let _domain = "NSURLErrorDomain"
            let _code = -1001
        }
        let loading = With { _, _ in throw LoadingError() }
        await #expect(throws: HTTPError.timeout) { _ = try await self.chain([loading]).send(self.request) }
    }

    @Test("Concurrent calls through one chain do not affect each other")
    func concurrency() async throws {
        let chain = chain([adding("a"), adding("b")])
        let request = request
        let seen = await withTaskGroup(of: String?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    var request = request
                    request.headers.append("X", "\(number)")
                    return try? await chain.send(request).headers["Seen"]
                }
            }
            return await group.reduce(into: Set<String>()) { if let seen = $1 { $0.insert(seen) } }
        }
        #expect(seen == Set((0..<200).map { "\($0) a b" }))
    }
}
