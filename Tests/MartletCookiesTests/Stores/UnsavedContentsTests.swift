import Testing

@testable import MartletCookies

@Suite("SavePlan", .timeLimit(.minutes(5)))
struct SavePlanTests {
    private func isWritten(_ plan: inout SavePlan) -> Bool {
        plan.noteWrite(of: plan.revision)
        return plan.isSaved
    }

    @Test("The first change starts a timer, and those before it fires need no other")
    func timer() {
        var plan = SavePlan(delay: .seconds(2))
        #expect(plan.isSaved)
        #expect(plan.noteChange() == .timer(.seconds(2)))
        #expect(plan.noteChange() == .nothing)
        #expect(!plan.isSaved && plan.revision == 2)
        plan.noteTimer()
        #expect(plan.noteChange() == .timer(.seconds(2)))
        plan.noteWrite(of: 2)
        #expect(!plan.isSaved)
        plan.noteWrite(of: 3)
        #expect(plan.isSaved)
    }

    @Test("Without a delay, each change is written", arguments: [Duration.zero, .seconds(-1)])
    func immediate(delay: Duration) {
        var plan = SavePlan(delay: delay)
        #expect(plan.noteChange() == .write)
        #expect(plan.noteChange() == .write)
    }

    @Test("After a failure, each change is written until a write succeeds")
    func failure() {
        var plan = SavePlan(delay: .seconds(2))
        _ = plan.noteChange()
        plan.noteTimer()
        plan.noteFailure()
        #expect(plan.noteChange() == .write)
        #expect(plan.noteChange() == .write)
        #expect(isWritten(&plan))
        #expect(plan.noteChange() == .timer(.seconds(2)))
    }

    @Test("A write of older changes does not hide newer ones, and a delay is at most a day")
    func bounds() {
        var plan = SavePlan(delay: .seconds(Int64.max))
        #expect(plan.noteChange() == .timer(.seconds(86_400)))
        _ = plan.noteChange()
        plan.noteWrite(of: 2)
        plan.noteWrite(of: 1)
        #expect(plan.savedRevision == 2)
    }
}
