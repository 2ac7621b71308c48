internal import MartletSystem

/// Runs the jobs of the tasks that prefer it.
package protocol JobRunner: AnyObject, Sendable {
    /// Runs a job on the calling thread until its task waits or ends.
    func run(_ job: UnownedJob)
}

/// A job of a task that prefers the threads of the engines. It keeps its executor, and with it the engines, until it has run.
package struct EngineJob: Sendable {
    package let job: UnownedJob
    package let runner: any JobRunner

    package init(job: UnownedJob, runner: any JobRunner) {
        self.job = job
        self.runner = runner
    }
}

/// Which engine gets the job of a task. An engine's own thread keeps it, unless many jobs wait there. Otherwise the engines, or the other
/// engines, get the jobs in turn.
package final class JobDeal: Sendable {
    /// The number of waiting jobs at which an engine's thread keeps no more.
    private static let maxKept = 32

    private let engines: Int
    /// The engine that got the last job.
    private let turn = Locked(0)

    package init(engines: Int) { self.engines = engines }

    /// Queues a job on the engine of the calling thread and returns nil, or returns the engine to post it to.
    ///
    /// - Parameters:
    ///   - own: The jobs of the engine that has the calling thread, and its number; nil on other threads.
    package func engine(for job: EngineJob, from own: (jobs: EngineJobs, index: Int)?) -> Int? {
        if let own, engines == 1 || own.jobs.count < JobDeal.maxKept {
            own.jobs.append(job)
            return nil
        }
        return turn.withLock { turn in
            turn = (turn + 1) % engines
            if turn == own?.index { turn = (turn + 1) % engines }
            return turn
        }
    }
}

/// The jobs that an engine's thread is to run, in their order. Only that thread uses it.
package final class EngineJobs {
    // Proof: accesses to the properties need no check for overlaps. Each is a read, an assignment, or a method of an array; none is in
    // progress while a job runs, which may append others.

    /// The number of jobs after which transfers get their turn.
    package static let perRound = 256

    @exclusivity(unchecked) private var waiting: [EngineJob] = []
    @exclusivity(unchecked) private var batch: [EngineJob] = []
    /// The place in the batch of the next job.
    @exclusivity(unchecked) private var next = 0

    package init() {}

    package var count: Int { waiting.count + batch.count - next }
    package var isEmpty: Bool { count == 0 }

    package func append(_ job: EngineJob) { waiting.append(job) }

    /// Runs up to ``perRound`` jobs, including jobs that these queue. Returns false if there were none.
    ///
    /// - Parameter goesOn: Returns whether the next job may run.
    package func run(while goesOn: () -> Bool) -> Bool {
        guard !isEmpty else { return false }
        for _ in 0..<EngineJobs.perRound where takesNext() {
            let job = batch[next]
            next += 1
            job.runner.run(job.job)
            guard goesOn() else { return true }
        }
        // Releases the executors of the jobs that have run.
        if next == batch.count { empty() }
        return true
    }

    /// Returns whether the batch has a next job. Replaces a batch that has run by the waiting jobs.
    private func takesNext() -> Bool {
        if next < batch.count { return true }
        empty()
        swap(&waiting, &batch)
        return !batch.isEmpty
    }

    private func empty() {
        batch.removeAll(keepingCapacity: true)
        next = 0
    }
}
