/// Runs the jobs of the tasks that prefer it.
protocol JobRunner: AnyObject, Sendable {
    /// Runs a job on the calling thread until its task waits or ends.
    func run(_ job: UnownedJob)
}

/// A job of a task that prefers the threads of the engines. It keeps its executor, and with it the engines, until it has run.
struct EngineJob: Sendable {
    let job: UnownedJob
    let runner: any JobRunner
}

/// The jobs that an engine's thread is to run, in their order. Only that thread uses it.
final class EngineJobs {
    /// The number of jobs after which transfers get their turn, even if the jobs have queued others.
    private static let perRound = 256

    @exclusivity(unchecked) private var waiting: [EngineJob] = []
    private var batch: [EngineJob] = []

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    func append(_ job: EngineJob) { waiting.append(job) }

    /// Runs the waiting jobs and those that they queue, within the limit of a round. Returns false if there were none.
    func run() -> Bool {
        guard !waiting.isEmpty else { return false }
        var left = EngineJobs.perRound
        while left > 0, !waiting.isEmpty {
            swap(&waiting, &batch)
            left -= batch.count
            for job in batch { job.runner.run(job.job) }
            batch.removeAll(keepingCapacity: true)
        }
        return true
    }
}
