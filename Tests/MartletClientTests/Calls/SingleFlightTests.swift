import MartletSystem
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(5))) struct SingleFlightTests {
    struct Down: Error {}

    /// An operation that reports when it begins, and ends when the test opens the door.
    final class Door: Sendable {
        let opened = OneShot<Void>()
        let entered = OneShot<Void>()
        func pass() async {
            entered.set(())
            await opened.value()
        }
    }

    /// Counts the runs of an operation.
    final class Runs: Sendable {
        private let state = Locked(0)
        var count: Int { state.withLock { $0 } }
        func increment() -> Int {
            state.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("Callers with the same key share the value of one operation")
    func shared() async throws {
        let flight = SingleFlight<String, Int>()
        let runs = Runs()
        let door = Door()
        let first = Task {
            try await flight.value(for: "k") {
                await door.pass(); return runs.increment()
            }
        }
        await door.entered.value()
        let others = (0..<50).map { _ in Task { try await flight.value(for: "k") { runs.increment() } } }
        while flight.waiterCount(for: "k") < 51 { await Task.yield() }
        door.opened.set(())
        #expect(try await first.value == 1)
        for other in others { #expect(try await other.value == 1) }
        #expect(try await flight.value(for: "k") { runs.increment() } == 2)
    }

    @Test("Cancelling the first waiter ends its wait immediately, but not the operation")
    func cancellation() async throws {
        let flight = SingleFlight<String, Int>()
        let door = Door()
        let first = Task {
            try await flight.value(for: "k") {
                await door.pass(); return 1
            }
        }
        await door.entered.value()
        let second = Task { try await flight.value(for: "k") { 2 } }
        while flight.waiterCount(for: "k") < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        door.opened.set(())
        #expect(try await second.value == 1)
    }

    @Test(
        "With cancelsAbandoned, an operation ends with its last waiter, and the next caller starts another", arguments: [true, false])
    func abandoned(cancelsAbandoned: Bool) async throws {
        let flight = SingleFlight<String, Bool>(cancelsAbandoned: cancelsAbandoned), door = Door()
        let ask = { @Sendable in
            await flight.outcome(for: "k") {
                await door.pass()
                return Task.isCancelled
            }
        }
        let first = Task { await ask() }
        await door.entered.value()
        let second = Task { await ask() }
        while flight.waiterCount < 2 { await Task.yield() }
        first.cancel()
        second.cancel()
        await #expect(throws: CancellationError.self) { try await first.value.result.get() }
        #expect(await second.value.hasJoined)
        let third = Task { await ask() }
        while flight.waiterCount < 1 { await Task.yield() }
        door.opened.set(())
        let (result, hasJoined) = await third.value
        #expect(hasJoined == !cancelsAbandoned)
        #expect(try !result.get())
    }

    /// An executor that a test holds, as a computation on its only thread would.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    final class HeldExecutor: TaskExecutor {
        private let state = Locked((isHeld: false, jobs: [UnownedJob]()))
        /// Set when a job has to wait.
        let isNeeded = OneShot<Void>()

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isHeld = state.withLock { state in
                if state.isHeld { state.jobs.append(job) }
                return state.isHeld
            }
            if isHeld { isNeeded.set(()) } else { globalConcurrentExecutor.enqueue(job) }
        }

        func hold() { state.withLock { $0.isHeld = true } }

        func release() {
            let jobs = state.withLock { state in
                defer { state = (false, []) }
                return state.jobs
            }
            for job in jobs { globalConcurrentExecutor.enqueue(job) }
        }
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @Test("An operation ends, and its other callers return, while the executor of the first caller is busy", arguments: [true, false])
    func busyExecutor(cancelsAbandoned: Bool) async throws {
        let flight = SingleFlight<String, Int>(cancelsAbandoned: cancelsAbandoned), door = Door(), executor = HeldExecutor(), runs = Runs()
        let first = Task {
            await withTaskExecutorPreference(executor) {
                await flight.outcome(for: "k") {
                    await door.pass()
                    return runs.increment()
                }
            }
        }
        await door.entered.value()
        let second = Task { try await flight.value(for: "k") { 0 } }
        while flight.waiterCount < 2 { await Task.yield() }
        executor.hold()
        door.opened.set(())
        // The first job that needs the executor is the return to the first caller, not the operation.
        await executor.isNeeded.value()
        let hasEnded = runs.count == 1
        #expect(hasEnded)
        if hasEnded { #expect(try await second.value == 1) }
        executor.release()
        #expect(try await first.value.result.get() == 1)
        _ = await second.result
    }

    @Test("An operation runs with the task-local values of its first caller, and with the highest priority of its callers")
    func inherits() async throws {
        let flight = SingleFlight<String, (before: TaskPriority, after: TaskPriority, isLocal: Bool)>(), door = Door()
        let first = Task.detached(priority: .background) {
            try await CallTicket.$current.withValue(CallGroup().begin()) {
                try await flight.value(for: "k") {
                    let before = Task.currentPriority
                    await door.pass()
                    return (before, Task.currentPriority, CallTicket.current != nil)
                }
            }
        }
        await door.entered.value()
        let second = Task.detached(priority: .high) { _ = try await flight.value(for: "k") { (.low, .low, false) } }
        while flight.waiterCount < 2 { await Task.yield() }
        door.opened.set(())
        let seen = try await first.value
        #expect(seen.before == .background && seen.after >= .high && seen.isLocal)
        try await second.value
    }

    @Test("A failure reaches every waiter, and the next caller starts a new operation")
    func failure() async throws {
        let flight = SingleFlight<String, Int>()
        await #expect(throws: Down.self) { try await flight.value(for: "k") { throw Down() } }
        #expect(try await flight.value(for: "k") { 3 } == 3)
    }

    @Test("A shared operation may make requests while calls are drained, also after the call that began it has ended")
    func draining() async throws {
        let calls = CallGroup(), flight = SingleFlight<String, Bool>(), door = Door()
        let first = try #require(calls.begin()), second = try #require(calls.begin())
        let ask = { @Sendable (call: CallTicket) in
            try await CallTicket.$current.withValue(call) {
                try await flight.value(for: "k") {
                    await door.pass()
                    let part = calls.begin()
                    part?.end()
                    return part != nil
                }
            }
        }
        let leaving = Task { try await ask(first) }
        await door.entered.value()
        let staying = Task { try await ask(second) }
        while flight.waiterCount(for: "k") < 2 { await Task.yield() }
        async let summary = calls.drain(within: .seconds(3_600))
        while !calls.isDraining { await Task.yield() }
        leaving.cancel()
        first.end()
        door.opened.set(())
        #expect(try await staying.value)
        second.end()
        let drained = await summary
        #expect(drained == DrainSummary(finished: 2))
    }
}
