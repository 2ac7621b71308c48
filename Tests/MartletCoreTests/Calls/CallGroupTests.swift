import MartletTesting
import Testing

@testable import MartletCore

@Suite("CallGroup", .timeLimit(.minutes(5)))
struct CallGroupTests {
    private let time = ManualTime()

    /// Says how often a call was cancelled.
    private final class Watched: Sendable {
        let count = Locked(0)
        let ticket: CallTicket

        init(_ ticket: CallTicket?) throws {
            self.ticket = try #require(ticket)
            self.ticket.onCancel { [count] in count.withLock { $0 += 1 } }
        }

        var cancellations: Int { count.withLock { $0 } }
    }

    @Test("cancelAll cancels each running call once, and calls that begin later run")
    func cancelAll() throws {
        let group = CallGroup()
        let first = try Watched(group.begin()), second = try Watched(group.begin())
        second.ticket.end()
        group.cancelAll()
        group.cancelAll()
        #expect(first.cancellations == 1 && first.ticket.isCancelled && second.cancellations == 0 && !second.ticket.isCancelled)
        let third = try Watched(group.begin())
        #expect(group.runningCount == 1 && third.cancellations == 0)
    }

    @Test("A call that says how it is cancelled after it was cancelled is cancelled at once; one that has ended is not")
    func lateActions() throws {
        let group = CallGroup()
        let ticket = try #require(group.begin()), ended = try #require(group.begin())
        ended.end()
        group.cancelAll()
        let count = Locked(0)
        ticket.onCancel { count.withLock { $0 += 1 } }
        ended.onCancel { count.withLock { $0 += 10 } }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("A member's calls are also its group's, and not those of another member")
    func members() throws {
        let group = CallGroup(), one = group.makeMember(), two = group.makeMember()
        let first = try Watched(one.begin()), second = try Watched(two.begin())
        #expect(group.runningCount == 2 && one.runningCount == 1)
        one.cancelAll()
        #expect(first.cancellations == 1 && second.cancellations == 0)
        group.cancelAll()
        #expect(second.cancellations == 1 && group.runningCount == 0)
    }

    @Test("A drain of a member refuses its own calls only; a drain of the group refuses those of all members")
    func refusing() async throws {
        let group = CallGroup(), one = group.makeMember(), two = group.makeMember()
        #expect(await one.drain(within: .seconds(1), time: time) == DrainSummary())
        #expect(one.begin() == nil && one.isDraining && !group.isDraining)
        try #require(two.begin()).end()
        _ = await group.drain(within: .seconds(1), time: time)
        #expect(two.begin() == nil && group.begin() == nil && two.isDraining)
    }

    @Test("A drain waits until its calls have ended, and counts those that finished and those that its time cut off")
    func draining() async throws {
        let group = CallGroup()
        let tickets = try (0..<3).map { _ in try Watched(group.begin()) }
        async let summary = group.drain(within: .seconds(10), time: time)
        try await time.waitForTimers()
        #expect(group.begin() == nil)
        tickets[0].ticket.end()
        time.advance(by: .milliseconds(9_999))
        #expect(tickets[1].cancellations == 0)
        time.advance(by: .milliseconds(1))
        let ended = await summary
        #expect(ended == DrainSummary(finished: 1, cancelled: 2))
        #expect(tickets.map(\.cancellations) == [0, 1, 1] && time.timerCount == 0)
    }

    @Test("A drain ends with the last call, before its time is over, and leaves no timer")
    func lastCall() async throws {
        let group = CallGroup()
        let ticket = try #require(group.begin())
        async let summary = group.drain(within: .seconds(10), time: time)
        try await time.waitForTimers()
        ticket.end()
        let ended = await summary
        #expect(ended == DrainSummary(finished: 1) && time.timerCount == 0)
    }

    @Test("A drain that has no time cancels at once", arguments: [Duration.zero, .seconds(-1)])
    func noTime(limit: Duration) async throws {
        let group = CallGroup()
        let call = try Watched(group.begin())
        #expect(await group.drain(within: limit, time: time) == DrainSummary(cancelled: 1))
        #expect(call.cancellations == 1)
    }

    @Test("Of two drains the first whose time is over cancels what is left; both return what happened since the first began")
    func twice() async throws {
        let group = CallGroup()
        let one = try #require(group.begin()), two = try Watched(group.begin())
        async let long = group.drain(within: .seconds(60), time: time)
        try await time.waitForTimers(1)
        one.end()
        async let short = group.drain(within: .seconds(5), time: time)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(5))
        let expected = DrainSummary(finished: 1, cancelled: 1)
        let ended = await [long, short]
        #expect(ended == [expected, expected] && two.cancellations == 1)
        #expect(await group.drain(within: .seconds(1), time: time) == expected)
    }

    @Test("A drain whose task is cancelled cancels what is left and returns")
    func cancelledDrain() async throws {
        let group = CallGroup(), time = time
        let call = try Watched(group.begin())
        let drain = Task { await group.drain(within: .seconds(60), time: time) }
        try await time.waitForTimers()
        drain.cancel()
        #expect(await drain.value == DrainSummary(cancelled: 1) && call.cancellations == 1)
    }

    @Test("cancelAll during a drain ends it, and counts as cancelled")
    func cancelAllWhileDraining() async throws {
        let group = CallGroup()
        let call = try Watched(group.begin())
        async let summary = group.drain(within: .seconds(60), time: time)
        try await time.waitForTimers()
        group.cancelAll()
        let ended = await summary
        #expect(ended == DrainSummary(cancelled: 1) && call.cancellations == 1)
    }

    @Test("A part of a running call begins while draining, is waited for and not counted; a part of one that has ended is a new call")
    func parts() async throws {
        let group = CallGroup(), member = group.makeMember()
        let call = try #require(member.begin())
        async let summary = group.drain(within: .seconds(60), time: time)
        try await time.waitForTimers()
        let part = try #require(CallTicket.$current.withValue(call) { member.begin() })
        // The member is not draining by itself, but it is in a group that is: a part through another member is one too.
        let other = try #require(CallTicket.$current.withValue(part) { group.makeMember().begin() })
        call.end()
        #expect(CallTicket.$current.withValue(call) { member.begin() } == nil)
        #expect(group.runningCount == 0)
        other.end()
        part.end()
        let ended = await summary
        #expect(ended == DrainSummary(finished: 1))
    }

    @Test("While a member drains, a call of another member has no part in it")
    func foreignParts() async throws {
        let group = CallGroup(), one = group.makeMember(), two = group.makeMember()
        let call = try #require(two.begin())
        _ = await one.drain(within: .zero, time: time)
        #expect(CallTicket.$current.withValue(call) { one.begin() } == nil)
        call.end()
    }

    @Test("An operation of a ticket is cancelled with it; one in a cancelled task knows so from the start")
    func running() async throws {
        let group = CallGroup()
        let ticket = try #require(group.begin())
        let began = OneShot<Void>()
        let outcome = Task {
            await ticket.run { () async throws(CancellationError) -> Int in
                began.set(())
                try await ManualTime(autoAdvances: false).sleep(for: .seconds(1))
                return 1
            }
        }
        await began.value()
        group.cancelAll()
        guard case .failure = await outcome.value else { Issue.record("not cancelled"); return }
        let isCancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await ticket.run { () async -> Bool in Task.isCancelled }
        }
        #expect(await isCancelled.value == .success(true))
    }
}
