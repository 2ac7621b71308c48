import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletClient

@Suite("The deadlines of uploads", .timeLimit(.minutes(5))) struct UploadDeadlineTests {
    /// Reads a body chunk by chunk with pauses, and then responds or stays silent.
    struct SlowTransport: Transport {
        let time: ManualTime
        let pieces: Duration
        var answers = true
        /// The number of timers to wait for. Other tasks set them.
        var timers = 2

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            do { try await time.waitForTimers(timers) } catch { throw .cancelled }
            var iterator = request.body?.makeAsyncIterator()
            while try await iterator?.next() != nil { time.advance(by: pieces) }
            guard !answers else { return HTTPResponse(status: .ok, body: HTTPBody("{}")) }
            time.advance(by: .seconds(31))
            // Waits until the task is cancelled.
            let never = AsyncStream<Void> { _ in }
            for await _ in never {}
            throw .cancelled
        }
    }

    private func client(_ transport: SlowTransport) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: transport,
            configuration: .init(totalTimeout: .seconds(60), idleTimeout: .seconds(30)), time: transport.time)
    }

    private let body = RequestBody.data(Data(count: 65_536 * 6))

    @Test("An upload may take longer than the total timeout while its body makes progress")
    func moves() async throws {
        let transport = SlowTransport(time: ManualTime(), pieces: .seconds(20)), start = transport.time.instant
        _ = try await client(transport).upload(Request<Data>.post("x", body: body)) { _ in }
        #expect(transport.time.instant - start == .seconds(120))
    }

    @Test("An upload ends at the idle timeout if no byte is read and no response arrives")
    func silent() async throws {
        let transport = SlowTransport(time: ManualTime(), pieces: .seconds(1), answers: false)
        let error = await #expect(throws: HTTPError.self) {
            try await client(transport).upload(Request<Data>.post("x", body: body)) { _ in }
        }
        #expect(error == .timeout && error?.context.detail.contains("idle timeout of 30.00 s") == true)
    }

    @Test("An upload's own timeout limits the whole call")
    func ownTimeout() async throws {
        var request = Request<Data>.post("x", body: body)
        request.timeout = .seconds(60)
        let asked = request, transport = SlowTransport(time: ManualTime(), pieces: .seconds(20))
        await #expect(throws: HTTPError.timeout) { try await client(transport).upload(asked) { _ in } }
    }

    /// Waits forever, before or after the exchange.
    struct Hanging: Interceptor {
        let isAfter: Bool
        let hangs = OneShot<Void>()

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            if isAfter { _ = try await next(request) }
            hangs.set(())
            let never = AsyncStream<Void> { _ in }
            for await _ in never {}
            throw HTTPError.cancelled
        }
    }

    @Test(
        "A hanging interceptor ends an upload at the total timeout, before and after the exchange, with or without an idle timeout",
        arguments: [false, true], [Duration.seconds(30), nil])
    func hangingInterceptor(isAfter: Bool, idleTimeout: Duration?) async throws {
        let time = ManualTime(), hanging = Hanging(isAfter: isAfter)
        let transport = MockTransport { _ in
            // Within its own limits, the exchange may take any time.
            time.advance(by: .seconds(29))
            return .status(200)
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: transport, interceptors: [hanging],
            configuration: .init(totalTimeout: .seconds(60), idleTimeout: idleTimeout), time: time)
        let call = Task { [body] () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await client.upload(Request<Data>.post("x", body: body))
                return nil
            } catch { return error }
        }
        await hanging.hangs.value()
        try await time.waitForTimers()
        for _ in 0..<3 { time.advance(by: .seconds(31)) }
        let error = await call.value
        #expect(error == .timeout && error?.context.detail.contains("total timeout of 60.00 s") == true)
    }

    @Test("Without a total timeout, the idle timeout limits an upload's interceptors")
    func idleTimeoutAlone() async throws {
        let time = ManualTime()
        let client = HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: MockTransport(), interceptors: [Hanging(isAfter: false)],
            configuration: .init(totalTimeout: nil, idleTimeout: .seconds(30)), time: time)
        let call = Task { [body] in try? await client.upload(Request<Data>.post("x", body: body)) }
        try await time.waitForTimers()
        time.advance(by: .seconds(30))
        #expect(await call.value == nil)
    }

    @Test("A long exchange does not count towards the limit for interceptors")
    func longExchange() async throws {
        let time = ManualTime()
        let transport = MockTransport { _ in
            try await time.waitForTimers(1)
            for _ in 0..<10 { time.advance(by: .seconds(20)) }
            return .status(200)
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: transport,
            configuration: .init(totalTimeout: .seconds(60), idleTimeout: nil), time: time)
        _ = try await client.upload(Request<Data>.post("x", body: body))
    }
}
