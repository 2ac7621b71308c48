import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("Refreshing under the deadline of a task", .timeLimit(.minutes(5)))
struct RefreshDeadlineTests {
    private let time = ManualTime()
    private let gate = Barrier()
    private let silence = Barrier()
    private let deadlines = Recorder<ContinuousClock.Instant?>()
    private let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r"))

    private func provider(time: (any TimeSource)? = nil) -> StoredTokenProvider {
        StoredTokenProvider(store: store, time: time) { [gate, deadlines] _ in
            deadlines.append(TaskDeadline.current)
            await gate.pass()
            return AccessToken("new")
        }
    }

    private func client(_ provider: StoredTokenProvider) -> HTTPClient {
        let transport = MockTransport { $0.headers[.authorization] == "Bearer new" ? .text("x") : .status(401) }
        return HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: [AuthInterceptor(provider)],
            configuration: .init(totalTimeout: nil), time: time)
    }

    @Test("A call whose token is being refreshed ends at its deadline, and the refresh continues for the others")
    func call() async throws {
        let client = client(provider())
        let short = Task { await withDeadline(.seconds(2), time: time) { await client.result(of: Request<String>.get("x")) } }
        try await gate.arrivals.reach(1)
        let patient = Task { try await client.send(Request<String>.get("x")) }
        // The deadline and the limit of the refresh.
        try await time.waitForTimers(2)
        time.advance(by: .seconds(2))
        guard case .failure(let error) = await short.value else { throw Unexpected() }
        #expect(error == .timeout && error.stage == .interceptor)
        #expect(error.context.detail == "no response by the deadline of the task: the call was waiting for a credential")
        gate.open()
        #expect(try await patient.value == "x" && deadlines.values == [nil])
        #expect(try await store.load()?.value == "new")
    }

    @Test("A stream that reaches its deadline says that it waited for a credential, and not after it has one")
    func stream() async throws {
        let client = client(provider())
        let waiting = Task { () async -> HTTPError? in
            await withDeadline(.seconds(2), time: time) { () async -> HTTPError? in
                do throws(HTTPError) { _ = try await client.stream(Request<String>.get("x")) } catch { return error }
                return nil
            }
        }
        try await gate.arrivals.reach(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(2))
        let error = try #require(await waiting.value)
        #expect(error == .timeout && error.stage == .interceptor)
        #expect(error.context.detail.hasSuffix(": the call was waiting for a credential"))
        gate.open()
        let sent = Barrier()
        let transport = MockTransport {
            guard $0.headers[.authorization] == "Bearer new" else { return .status(401) }
            await sent.pass()
            return .text("x")
        }
        let silent = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: [AuthInterceptor(self.provider())],
            configuration: .init(totalTimeout: .seconds(1)), time: time)
        let later = Task { await silent.result(of: Request<String>.get("x")) }
        try await sent.arrivals.reach(1)
        time.advance(by: .seconds(1))
        guard case .failure(let late) = await later.value else { throw Unexpected() }
        #expect(late == .timeout && late.stage == .exchange && !late.context.detail.contains("credential"))
        sent.open()
    }

    /// A client whose calls of several requests are observed, with a total timeout of 2 seconds. A request to `silent` gets no response.
    private func observedClient() -> HTTPClient {
        struct Silent: CallObserver {
            func observe(_ event: CallEvent, of call: CallInfo) {}
        }
        let transport = MockTransport { [silence] in
            guard $0.headers[.authorization] == "Bearer new" else { return .status(401) }
            if $0.url.path == "/silent" { await silence.pass() }
            return .text("x")
        }
        return HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: [AuthInterceptor(provider())], observers: [Silent()],
            configuration: .init(totalTimeout: .seconds(2)), time: time)
    }

    /// Returns the error of a request whose token is at hand and that gets no response.
    private func silentFailure(_ client: HTTPClient, _ options: CallOptions) async throws -> HTTPError {
        let call = Task { await client.result(of: Request<String>.get("silent"), options: options) }
        try await silence.arrivals.reach(1)
        try await time.waitForTimers()
        time.advance(by: .seconds(2))
        defer { silence.open() }
        guard case .failure(let error) = await call.value else { throw Unexpected() }
        return error
    }

    @Test("A request of a call says nothing of the wait of an earlier request, which reached its deadline")
    func laterRequest() async throws {
        let client = observedClient(), request = Request<String>.get("x")
        let options = CallOptions().observed(by: client.observe(.events, request, CallOptions()))
        let waiting = Task { await client.result(of: request, options: options) }
        try await gate.arrivals.reach(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(2))
        guard case .failure(let first) = await waiting.value else { throw Unexpected() }
        #expect(first == .timeout && first.context.detail.hasSuffix(": the call was waiting for a credential"))
        gate.open()
        // The second one loads the new token, so that the last request finds it in memory and does not wait.
        for _ in 0..<2 { #expect(try await client.send(request) == "x") }
        let error = try await silentFailure(client, options)
        #expect(error == .timeout && error.stage == .exchange && !error.context.detail.contains("credential"))
    }

    @Test("A request of a call says nothing of a renewal for the response of an earlier request, after its deadline")
    func laterRenewal() async throws {
        gate.open()
        let client = observedClient(), request = Request<String>.get("x")
        let options = CallOptions().observed(by: client.observe(.events, request, CallOptions()))
        let response = try await client.stream(request, options: options)
        time.advance(by: .seconds(3_600))
        #expect(try await response.metadata.credential?.renew() == false)
        #expect(try await client.send(request) == "x")
        let error = try await silentFailure(client, options)
        #expect(error == .timeout && error.stage == .exchange && !error.context.detail.contains("credential"))
    }

    @Test("A provider that the app asks waits until the deadline, and the refresh continues")
    func provider() async throws {
        let provider = provider(time: time), old = AccessToken("old", refreshToken: "r")
        let short = Task {
            await withDeadline(.seconds(2), time: time) {
                await #expect(throws: TokenProviderError.self) { try await provider.token(replacing: old) }
            }
        }
        try await gate.arrivals.reach(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(2))
        guard case .refreshFailed(let cause)? = await short.value else { throw Unexpected() }
        #expect(cause as? HTTPError == .timeout)
        let patient = Task { try await provider.token(replacing: old)?.value }
        gate.open()
        #expect(try await patient.value == "new" && deadlines.values == [nil])
    }

    @Test("After the deadline, a provider that the app asks begins no refresh")
    func late() async throws {
        let provider = provider(time: time)
        _ = await withDeadline(.zero, time: time) {
            await #expect(throws: TokenProviderError.self) {
                try await provider.token(replacing: AccessToken("old", refreshToken: "r"))
            }
        }
        #expect(gate.arrivals.value == 0)
    }

    private struct Unexpected: Error {}
}
