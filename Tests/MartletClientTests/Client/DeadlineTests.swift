import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletClient
@testable import MartletHTTP

/// The client enforces its deadlines over any transport, on a clock that tests control.
@Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
    let base = URL(string: "https://api.example/")!
    let time = ManualTime()

    /// Never responds. It records when it received a request and when it was cancelled.
    final class Silent: Transport {
        let asked = OneShot<Void>()
        let cancelled = OneShot<Void>()
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            asked.set(())
            await withTaskCancellationHandler {
                await cancelled.value()
            } onCancel: {
                cancelled.set(())
            }
            throw .cancelled
        }
    }

    func client(_ transport: any Transport, _ configuration: HTTPClient.Configuration = .init()) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, configuration: configuration, time: time)
    }

    @Test(
        "An attempt that is cancelled at the deadline of its call has timed out, and any other has been cancelled",
        arguments: [true, false])
    func interruptedAttempt(isLate: Bool) async {
        struct Cancelled: Transport {
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { throw .cancelled }
        }
        let time = SystemTime(), log = EventLog()
        let call = ObservedCall(.request, name: "x", pathTemplate: "", operations: [], tags: [], observers: [log], time: time)
        var request = HTTPRequest(url: base)
        request.context.change { $0.record = call.record }
        request.context.deadline = time.instant + (isLate ? .zero : .seconds(3_600))
        _ = try? await Exchange(transport: Cancelled(), time: time).send(request)
        #expect(call.record.trace.attempts.map(\.outcome) == [isLate ? .timeout : .cancelled])
    }

    @Test("A call ends at its total timeout and stops the exchange, and the error names the limit")
    func total() async throws {
        let transport = Silent()
        let client = client(transport)
        let call = Task { await client.result(of: Request<Data>.get("x")) }
        try await time.waitForTimers(1)
        await transport.asked.value()
        time.advance(by: .seconds(60))
        guard case .failure(let error) = await call.value else { Issue.record("answered"); return }
        #expect(error == .timeout && error.request?.url.path == "/x" && error.attempts == 1)
        #expect("\(error)".contains("60.00 s"))
        await transport.cancelled.value()
    }

    @Test("A call ends at its timeout while its value is decoded")
    func decoding() async throws {
        let gate = OneShot<Void>()
        let held = MockTransport { _ in
            await gate.value()
            return .text("x")
        }
        let client = client(held), time = time
        let slow = Request<String>.get("x").map { text in
            time.advance(by: .seconds(60))
            return text
        }
        let call = Task { await client.result(of: slow) }
        try await time.waitForTimers(1)
        gate.set(())
        guard case .failure(.timeout) = await call.value else { Issue.record("answered"); return }
    }

    @Test("A call still waits just before its timeout")
    func notBefore() async throws {
        let gate = OneShot<Void>()
        let held = MockTransport { _ in
            await gate.value()
            return .status(200)
        }
        let client = client(held)
        let call = Task { await client.result(of: Request<Data>.get("x")) }
        try await time.waitForTimers(1)
        time.advance(by: .milliseconds(59_999))
        gate.set(())
        guard case .success = await call.value else { Issue.record("timed out"); return }
    }

    @Test("A request's own timeout takes precedence, also below one second")
    func perRequest() async throws {
        var request = Request<Data>.get("x")
        request.timeout = .milliseconds(250)
        let client = client(Silent())
        let call = Task { [request] in await client.result(of: request) }
        try await time.waitForTimers(1)
        time.advance(by: .milliseconds(250))
        guard case .failure(.timeout) = await call.value else { Issue.record("answered"); return }
    }

    @Test("The attempt timeout ends one exchange, and an interceptor may retry within the total timeout")
    func attempt() async throws {
        struct Again: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                do throws(HTTPError) { return try await next(request) } catch {
                    guard error == .timeout else { throw error }
                    return try await next(request)
                }
            }
        }
        let transport = MockTransport { request in
            if request.context.attempt == 1 { await OneShot<Void>().value() }
            return .status(200)
        }
        let client = HTTPClient(
            baseURL: base, transport: transport, interceptors: [Again()], configuration: .init(attemptTimeout: .seconds(2)), time: time)
        let call = Task { await client.result(of: Request<Data>.get("x")) }
        try await time.waitForTimers(2)
        try await transport.waitForRequests()
        time.advance(by: .seconds(2))
        guard case .success = await call.value else { Issue.record("no second attempt"); return }
        #expect(transport.requests.map(\.context.attempt) == [1, 2])
    }

    @Test("A stream's total timeout ends with its head; then the idle timeout applies")
    func idle() async throws {
        let transport = StreamTransport {
            await OneShot<Void>().value()
            return nil
        }
        let client = client(transport)
        let response = try await client.stream(Request<Data>.get("x"))
        time.advance(by: .seconds(600))
        let reading = Task { () -> HTTPError? in
            do throws(HTTPError) { _ = try await response.body.collect() } catch { return error }
            return nil
        }
        try await time.waitForTimers(1)
        time.advance(by: .seconds(60))
        let error = await reading.value
        #expect(error == .timeout && error?.stage == .body)
    }

    struct StreamTransport: Transport {
        let next: @Sendable () async throws -> Data?
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            HTTPResponse(status: 200, body: HTTPBody(next: next))
        }
    }

    @Test("Without limits no timer is set")
    func unlimited() async throws {
        let client = client(
            MockTransport { _ in .status(200) }, .init(totalTimeout: nil, attemptTimeout: nil, idleTimeout: nil))
        _ = try await client.send(Request<Data>.get("x"))
        #expect(time.sleeps.isEmpty)
    }

    @Test("A cancelled caller does not wait for an exchange that ignores the cancellation")
    func stubborn() async throws {
        let never = OneShot<Void>()
        let client = client(
            MockTransport { _ in
                await never.value()
                return .status(200)
            })
        let call = Task { await client.result(of: Request<Data>.get("x")) }
        try await time.waitForTimers(1)
        call.cancel()
        guard case .failure(.cancelled) = await call.value else { Issue.record("waited"); return }
        never.set(())
    }
}
