import MartletSystem
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("CallGroup", .timeLimit(.minutes(5)))
struct CallGroupTests {
    private let time = ManualTime()

    /// Counts how often a call is cancelled.
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

    @Test("A cancel action set after the cancellation runs immediately; one set after the end of the call does not run")
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

    @Test("Calls that end in any order leave the others registered, and cancelAll cancels each of these once")
    func endings() throws {
        let group = CallGroup()
        let calls = try (0..<5).map { _ in try Watched(group.begin()) }
        for index in [1, 4, 0] {
            calls[index].ticket.end()
            calls[index].ticket.end()
        }
        #expect(group.runningCount == 2)
        group.cancelAll()
        #expect(calls.map(\.cancellations) == [0, 0, 1, 1, 0] && group.runningCount == 0)
    }

    @Test("A call within a call of another transport is not a part of it, and a drain refuses it")
    func elsewhere() async throws {
        let other = try #require(CallGroup().begin()), group = CallGroup()
        let ticket = try #require(CallTicket.$current.withValue(other) { group.begin() })
        #expect(group.runningCount == 1)
        ticket.end()
        _ = await group.drain(within: .zero)
        #expect(CallTicket.$current.withValue(other) { group.begin() } == nil)
        other.end()
    }

    @Test("A member's calls belong to its group and not to other members")
    func members() throws {
        let group = CallGroup(), one = group.makeMember(), two = group.makeMember()
        let first = try Watched(one.begin()), second = try Watched(two.begin())
        #expect(group.runningCount == 2 && one.runningCount == 1)
        one.cancelAll()
        #expect(first.cancellations == 1 && second.cancellations == 0)
        group.cancelAll()
        #expect(second.cancellations == 1 && group.runningCount == 0)
    }

    @Test("Draining a member refuses only its own calls; draining the group refuses those of all members")
    func refusing() async throws {
        let group = CallGroup(), one = group.makeMember(), two = group.makeMember()
        #expect(await one.drain(within: .seconds(1), time: time) == DrainSummary())
        #expect(one.begin() == nil && one.isDraining && !group.isDraining)
        try #require(two.begin()).end()
        _ = await group.drain(within: .seconds(1), time: time)
        #expect(two.begin() == nil && group.begin() == nil && two.isDraining)
    }

    @Test("A drain waits for its calls, and counts finished calls and calls cancelled at its limit")
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

    @Test("A drain ends with the last call, before its limit, and leaves no timer")
    func lastCall() async throws {
        let group = CallGroup()
        let ticket = try #require(group.begin())
        async let summary = group.drain(within: .seconds(10), time: time)
        try await time.waitForTimers()
        ticket.end()
        let ended = await summary
        #expect(ended == DrainSummary(finished: 1) && time.timerCount == 0)
    }

    @Test("A drain with a limit of zero or less cancels immediately", arguments: [Duration.zero, .seconds(-1)])
    func noTime(limit: Duration) async throws {
        let group = CallGroup()
        let call = try Watched(group.begin())
        #expect(await group.drain(within: limit, time: time) == DrainSummary(cancelled: 1))
        #expect(call.cancellations == 1)
    }

    @Test("Of two drains, the first limit that passes cancels the remaining calls; both return the counts since the first began")
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

    @Test("A drain whose task is cancelled cancels the remaining calls and returns")
    func cancelledDrain() async throws {
        let group = CallGroup(), time = time
        let call = try Watched(group.begin())
        let drain = Task { await group.drain(within: .seconds(60), time: time) }
        try await time.waitForTimers()
        drain.cancel()
        #expect(await drain.value == DrainSummary(cancelled: 1) && call.cancellations == 1)
    }

    @Test("cancelAll during a drain ends the drain, and its calls count as cancelled")
    func cancelAllWhileDraining() async throws {
        let group = CallGroup()
        let call = try Watched(group.begin())
        async let summary = group.drain(within: .seconds(60), time: time)
        try await time.waitForTimers()
        group.cancelAll()
        let ended = await summary
        #expect(ended == DrainSummary(cancelled: 1) && call.cancellations == 1)
    }

    @Test("While draining, a part of a running call may begin and is waited for but not counted; a part of an ended call may not")
    func parts() async throws {
        let group = CallGroup(), member = group.makeMember()
        let call = try #require(member.begin())
        async let summary = group.drain(within: .seconds(60), time: time)
        try await time.waitForTimers()
        let part = try #require(CallTicket.$current.withValue(call) { member.begin() })
        // The member itself is not draining, but its group is. A part made through another member is admitted too.
        let other = try #require(CallTicket.$current.withValue(part) { group.makeMember().begin() })
        call.end()
        #expect(CallTicket.$current.withValue(call) { member.begin() } == nil)
        #expect(group.runningCount == 0)
        other.end()
        part.end()
        let ended = await summary
        #expect(ended == DrainSummary(finished: 1))
    }

    @Test("A call of another member does not admit parts to a draining member")
    func foreignParts() async throws {
        let group = CallGroup(), one = group.makeMember(), two = group.makeMember()
        let call = try #require(two.begin())
        _ = await one.drain(within: .zero, time: time)
        #expect(CallTicket.$current.withValue(call) { one.begin() } == nil)
        call.end()
    }

    @Test("An operation is cancelled with its ticket; in a cancelled task it is cancelled from the start")
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

    @Test("A call is cancelled with its group; an ended call and shared work are not")
    func cancelledCalls() throws {
        let group = CallGroup(), member = group.makeMember(), other = CallGroup()
        let ticket = try #require(member.begin()), shared = try #require(ticket.beginPart()), ended = try #require(member.begin())
        ended.end()
        member.cancelAll()
        #expect([member, group, other].map { $0.hasCancelled(ticket) } == [true, true, false])
        #expect(!member.hasCancelled(shared) && !member.hasCancelled(ended))
    }
}
