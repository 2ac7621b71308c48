internal import MartletHTTP

/// Runs tasks on the threads of a transport's engines: ``CurlTransport/taskExecutor``.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
final class EngineExecutor: TaskExecutor, JobRunner {
    private let engine: LazyEngine

    init(_ engine: LazyEngine) { self.engine = engine }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        do throws(HTTPError) {
            if let engine = try engine.made { return engine.run(EngineJob(job: job, runner: self)) }
        } catch {
            // In a forked child, which has no engine threads. The calls of the task fail with this error.
        }
        globalConcurrentExecutor.enqueue(job)
    }

    func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

extension CurlTransport {
    /// An executor that runs tasks on the threads of the transport's engines, which saves a call two switches of threads.
    ///
    /// A call usually passes from a thread of Swift's task pool to an engine's thread and back. The calls of a task that prefers this
    /// executor are sent and answered on one thread. For small responses that takes a quarter less processor time
    /// (`Benchmarks/Results/summary.md`). It suits servers and tools on Linux that send many requests and do little with each response:
    ///
    /// ```swift
    /// let transport = CurlTransport()
    /// let client = HTTPClient(baseURL: URL(string: "https://api.example"), transport: transport)
    /// try await withTaskExecutorPreference(transport.taskExecutor) {
    ///     let status: String = try await client.get("status")
    /// }
    /// ```
    ///
    /// - The functions that the task calls, and its child tasks, run on the engines' threads too, unless they are isolated to an actor with
    ///   an executor of its own, such as the main actor. A `Task { }` inside does not inherit the preference.
    /// - That code must not wait for anything except with `await`: a lock, semaphore or blocking read stops the transfers of that thread and
    ///   their deadlines, and waits forever if it depends on a call of this transport. While it computes, transfers of that thread
    ///   make no progress.
    /// - New tasks are given to the engines in turn. A task stays on its engine, and its requests use that engine's connections, within the
    ///   transport's limits. When an engine has 32 jobs to run, it gives others to the next engine.
    /// - Jobs run in the order of their arrival. Their priority has no effect.
    /// - Most signals are blocked on the engines' threads, and so in programs that the task starts.
    /// - Until the first request has made the engines, and in a forked child, the tasks run in Swift's task pool.
    ///
    /// The executor keeps the engines' threads, also when the transport has been released.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public var taskExecutor: any TaskExecutor { runner as? EngineExecutor ?? EngineExecutor(engine) }
}
