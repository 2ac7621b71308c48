internal import MartletSystem

/// The context of a running case: it has the tested object, and notes what the case sees.
protocol ConformanceContext: Sendable {
    var log: Locked<CaseLog> { get }
    /// Stops what the case has started.
    func end() async
}

/// The mismatches and the current step of a running case.
struct CaseLog {
    var mismatches: [Mismatch] = []
    var step = "the start"
}

typealias Mismatch = TransportConformance.Mismatch

extension ConformanceContext {
    var mismatches: [Mismatch] { log.withLock { $0.mismatches } }

    /// The current step, which is reported if the case does not end.
    var currentStep: String { log.withLock { $0.step } }

    func step(_ words: String) { log.withLock { $0.step = words } }

    func note(_ mismatch: Mismatch) { log.withLock { $0.mismatches.append(mismatch) } }

    /// Notes a mismatch if a condition does not hold.
    func expect(_ subject: String, _ holds: Bool, _ expected: String, seen: @autoclosure () -> String) {
        if !holds { note(Mismatch(subject, expected: expected, seen: seen())) }
    }

    /// Runs a case within a time limit and returns its mismatches; empty if the case passes.
    ///
    /// A case that exceeds the limit is abandoned, and everything that it has started is stopped.
    func mismatches(
        of run: @escaping @Sendable (Self) async throws -> Void, within limit: Duration, time: any TimeSource
    ) async -> [Mismatch] {
        let first = OneShot<[Mismatch]>()
        let task = Task {
            do { try await run(self) } catch {
                note(Mismatch(currentStep, expected: "nothing thrown", seen: "\(error)"))
            }
            await end()
            first.set(mismatches)
        }
        @Sendable func abandon(_ seen: String) {
            let unfinished = Mismatch(currentStep, expected: "an end", seen: seen)
            guard first.set(mismatches + [unfinished]) else { return }
            task.cancel()
            Task { await end() }
        }
        let timer = time.timer(at: time.instant + limit) { abandon("none within \(limit)") }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            abandon("the cancellation of the case itself")
        }
    }
}
