#if canImport(ObjectiveC)
internal import ObjectiveC
#endif

/// Runs tasks on the threads of engines, which get their jobs.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
package final class EngineExecutor: TaskExecutor, JobRunner {
    private let post: @Sendable (EngineJob) -> Bool

    /// - Parameter post: Gives a job to an engine. Returns false if there is none: the job then runs in Swift's task pool.
    package init(_ post: @escaping @Sendable (EngineJob) -> Bool) { self.post = post }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !post(EngineJob(job: job, runner: self)) { globalConcurrentExecutor.enqueue(job) }
    }

    package func run(_ job: UnownedJob) {
        #if canImport(ObjectiveC)
        autoreleasepool { job.runSynchronously(on: asUnownedTaskExecutor()) }
        #else
        job.runSynchronously(on: asUnownedTaskExecutor())
        #endif
    }
}
