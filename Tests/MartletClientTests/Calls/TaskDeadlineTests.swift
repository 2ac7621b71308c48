import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletClient

@Suite("TaskDeadline", .timeLimit(.minutes(5)))
struct TaskDeadlineTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<Data>.get("x")

    private func client(_ transport: MockTransport, timeout: Duration = .seconds(60)) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, configuration: .init(totalTimeout: timeout), time: time)
    }

    /// Records the time left of each request.
    private func recording(_ left: Recorder<Duration?>, takes: Duration = .zero) -> MockTransport {
        MockTransport { [time] request in
            left.append(request.context.deadline.map { time.instant.duration(to: $0) })
            try await time.sleep(for: takes)
            return .json("{}")
        }
    }

    @Test("Each call inside gets what is left, and the earlier of deadline and timeout counts")
    func left() async throws {
        let left = Recorder<Duration?>(), client = client(recording(left, takes: .milliseconds(500)))
        try await withDeadline(.seconds(2), time: time) {
            _ = try await client.send(get)
            _ = try await client.send(get)
            _ = try await client.send(get.timeout(.milliseconds(700)))
            #expect(TaskDeadline.remaining(time: time) == .milliseconds(500))
        }
        _ = try await client.send(get)
        #expect(left.values == [.seconds(2), .milliseconds(1_500), .milliseconds(700), .seconds(60)])
        #expect(TaskDeadline.current == nil && TaskDeadline.remaining() == nil)
    }

    @Test("A call inside ends at the deadline with a timeout that names it")
    func ends() async throws {
        let transport = MockTransport { _ in .silence }, client = client(transport)
        let call = Task { await withDeadline(.seconds(2), time: time) { await client.result(of: get) } }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(2))
        let error = await call.value.failure
        #expect(error == .timeout && error?.context.detail == "no response by the deadline of the task")
    }

    @Test("A call that begins after the deadline throws and sends nothing", arguments: [Duration.zero, .seconds(-1)])
    func expired(limit: Duration) async {
        let transport = MockTransport(.json("{}")), client = client(transport)
        await withDeadline(limit, time: time) {
            let error = await client.result(of: get).failure
            #expect(error == .timeout && error?.stage == .request && error?.request?.url.path == "/x" && error?.attempts == 0)
            await #expect(throws: HTTPError.timeout) { try await client.stream(get) }
        }
        #expect(transport.requests.isEmpty && client.calls?.runningCount == 0)
    }

    @Test("A deadline inside another one can only be earlier")
    func nested() async {
        await withDeadline(.seconds(2), time: time) {
            await withDeadline(.seconds(9), time: time) { #expect(TaskDeadline.remaining(time: time) == .seconds(2)) }
            await withDeadline(.seconds(1), time: time) { #expect(TaskDeadline.remaining(time: time) == .seconds(1)) }
            #expect(TaskDeadline.remaining(time: time) == .seconds(2))
        }
    }

    @Test("Child tasks inherit the deadline, and detached tasks do not")
    func tasks() async {
        await withDeadline(.seconds(2), time: time) {
            async let child = TaskDeadline.current
            #expect(await child != nil)
            #expect(await Task { TaskDeadline.current }.value != nil)
            #expect(await Task.detached { TaskDeadline.current }.value == nil)
        }
    }

    @Test("The operation is not cancelled, its value and typed error pass, and it stays on its actor")
    @MainActor func operation() async throws {
        struct Failure: Error {}
        let value = await withDeadline(.zero, time: time) {
            MainActor.assertIsolated()
            #expect(!Task.isCancelled)
            return 7
        }
        #expect(value == 7)
        do throws(Failure) { try await withDeadline(.seconds(1)) { () throws(Failure) in throw Failure() } } catch {
            #expect(type(of: error) == Failure.self)
        }
    }

    @Test("The deadline bounds a call without a timeout of its own, and a stream up to its head")
    func unlimited() async throws {
        let left = Recorder<Duration?>(), client = client(recording(left), timeout: .unlimited)
        try await withDeadline(.seconds(2), time: time) {
            _ = try await client.send(get)
            let response = try await client.stream(get)
            time.advance(by: .seconds(5))
            #expect(try await response.body.collect() == Data("{}".utf8))
        }
        #expect(left.values == [.seconds(2), .seconds(2)])
    }

    @Test("The options of a call can only shorten the deadline", arguments: [(Duration.seconds(1), 1), (.seconds(9), 2), (.unlimited, 2)])
    func options(timeout: Duration, expected: Int) async throws {
        let left = Recorder<Duration?>(), client = client(recording(left))
        try await withDeadline(.seconds(2), time: time) { _ = try await client.send(get, options: CallOptions(timeout: timeout)) }
        #expect(left.values == [.seconds(expected)])
    }

    @Test("A call of a detached task is not bounded, and one of a child task is")
    func detached() async throws {
        let left = Recorder<Duration?>(), client = client(recording(left)), get = get
        try await withDeadline(.seconds(2), time: time) {
            _ = try await Task.detached { try await client.send(get) }.value
            _ = try await Task { try await client.send(get) }.value
            async let child = client.send(get)
            _ = try await child
        }
        #expect(left.values == [.seconds(60), .seconds(2), .seconds(2)])
    }

    @Test("A deadline is an instant too, and an operation outside a call is cancelled when it is reached")
    func bound() async throws {
        let began = OneShot<Void>(), time = time
        let operation = Task {
            try await withDeadline(at: time.instant + .seconds(2)) {
                try await TaskDeadline.bound(time: time) { () async throws(HTTPError) in
                    began.set(())
                    // Ends only because it is cancelled.
                    do { try await Task.sleep(for: .seconds(3_600)) } catch { throw .cancelled }
                }
            }
        }
        await began.value()
        try await time.waitForTimers(1)
        time.advance(by: .seconds(2))
        let error = await #expect(throws: HTTPError.self) { try await operation.value }
        #expect(error == .timeout && error?.context.detail == "no response by the deadline of the task")
    }

    @Test("Shared work that outlives its callers does not inherit the deadline of the first one")
    func shared() async throws {
        let lasting = SingleFlight<Int, ContinuousClock.Instant?>()
        let passing = SingleFlight<Int, ContinuousClock.Instant?>(cancelsAbandoned: true)
        let deadlines = try await withDeadline(.seconds(2), time: time) {
            [try await lasting.value(for: 1) { TaskDeadline.current }, try await passing.value(for: 1) { TaskDeadline.current }]
        }
        #expect(deadlines[0] == nil && deadlines[1] != nil)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
