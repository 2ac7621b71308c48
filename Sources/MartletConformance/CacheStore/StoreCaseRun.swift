/// One run of a case over a store: bounded in time, whatever the store does.
struct StoreCaseRun {
    let aCase: StoreCase
    let trial: StoreTrial

    /// What was seen otherwise than expected; nothing when the case holds.
    func mismatches() async -> [Mismatch] {
        let limit = trial.options.timeLimit
        let deadline = ContinuousClock.now + limit
        let first = OneShot<[Mismatch]>()
        let task = Task {
            do { try await aCase.run(trial) } catch {
                trial.note(Mismatch(trial.currentStep, expected: "nothing thrown", seen: "\(error)"))
            }
            first.set(trial.mismatches)
        }
        let timer = SystemTime().timer(at: deadline) { end("none within \(limit)") }
        defer { timer.cancel() }
        @Sendable func end(_ seen: String) {
            let unfinished = Mismatch(trial.currentStep, expected: "an end", seen: seen)
            if first.set(trial.mismatches + [unfinished]) { task.cancel() }
        }
        return await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            end("the cancellation of the case itself")
        }
    }
}
