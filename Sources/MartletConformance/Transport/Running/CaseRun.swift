extension TransportConformance {
    /// One run of a case: bounded in time, whatever the transport does.
    struct CaseRun {
        let aCase: Case
        let options: Options
        let make: @Sendable () -> any Transport

        /// What was seen otherwise than expected; nothing when the case holds.
        func mismatches() async -> [Mismatch] {
            let limit = options.timeLimit, time = options.time
            let deadline = time.instant + limit
            let trial = Trial(options: options, transport: make())
            let first = OneShot<[Mismatch]>()
            let task = Task { _ = first.set(await play(trial)) }
            let timer = time.timer(at: deadline) {
                let unfinished = Mismatch(trial.currentStep, expected: "an end", seen: "none within \(limit)")
                if first.set(trial.mismatches + [unfinished]) { leave(task, trial) }
            }
            defer { timer.cancel() }
            return await withTaskCancellationHandler {
                await first.value()
            } onCancel: {
                let cut = Mismatch(trial.currentStep, expected: "an end", seen: "the cancellation of the case itself")
                if first.set(trial.mismatches + [cut]) { leave(task, trial) }
            }
        }

        private func play(_ trial: Trial) async -> [Mismatch] {
            do { try await aCase.run(trial) } catch {
                trial.note(Mismatch(trial.currentStep, expected: "nothing thrown", seen: "\(error)"))
            }
            trial.step("stopping the servers")
            await trial.end()
            return trial.mismatches
        }

        /// Nobody waits for a case that hangs; what it holds is let go of as far as it lets go.
        private func leave(_ task: Task<Void, Never>, _ trial: Trial) {
            task.cancel()
            Task { await trial.end() }
        }
    }
}
