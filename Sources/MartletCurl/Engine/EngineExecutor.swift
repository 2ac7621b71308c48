internal import MartletHTTP

#if canImport(ObjectiveC)
internal import ObjectiveC
#endif

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

    func run(_ job: UnownedJob) {
        #if canImport(ObjectiveC)
        autoreleasepool { job.runSynchronously(on: asUnownedTaskExecutor()) }
        #else
        job.runSynchronously(on: asUnownedTaskExecutor())
        #endif
    }
}

#if os(Linux)
/// Runs the tasks that serve an upgraded connection on the thread that receives its bytes.
final class ConnectionExecutor: TaskExecutor, JobRunner {
    private let inbox: EngineInbox

    init(_ inbox: EngineInbox) { self.inbox = inbox }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // An engine that has stopped has closed the connection: the task ends elsewhere.
        if !inbox.post(.run(EngineJob(job: job, runner: self))) { globalConcurrentExecutor.enqueue(job) }
    }

    func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
#endif

extension CurlTransport {
    /// An executor that runs tasks on the threads of the transport's engines, so that their calls need no switch of threads.
    ///
    /// A call usually passes from a thread of Swift's task pool to an engine's thread and back. The calls of a task that prefers this
    /// executor are sent and answered on one thread. It suits servers and tools on Linux that send many requests and do little with each
    /// response:
    ///
    /// ```swift
    /// let transport = CurlTransport()
    /// let client = HTTPClient(baseURL: URL(string: "https://api.example"), transport: transport)
    /// try await withTaskExecutorPreference(transport.taskExecutor) {
    ///     let status: String = try await client.send(.get("status"))
    /// }
    /// ```
    ///
    /// ### What runs on the engines' threads
    /// - The functions that the task calls, and its child tasks, unless they are isolated to an actor with an executor of its own, such as
    ///   the main actor. A `Task { }` inside does not inherit the preference.
    /// - What its calls need, such as your interceptors. Not on these threads: the connections of event streams, downloads and uploads with
    ///   progress, pages, streamed request bodies, and what calls share (refreshes of tokens, coalesced requests, requests of a cache, and
    ///   GraphQL queries in flight), which have tasks of their own in Swift's task pool.
    /// - Not the closure itself if it is written in code of such an actor, which the top level of `main.swift` is: there, only what it
    ///   calls runs on the engines' threads.
    /// - While the task calls another actor, calls of other tasks to that actor may run there too, and so may the code after them.
    /// - Until the first request has made the engines, and in a forked child, the tasks run in Swift's task pool.
    ///
    /// ### Duties
    /// - The code must wait only with `await`. A lock, a semaphore or a blocking read stops the transfers of its thread, their deadlines
    ///   and their cancellation, and waits forever if it depends on a call of this transport. A long computation delays them.
    /// - A process that exits waits for the running code, at most two seconds.
    /// - Most signals are blocked on these threads, and so in programs that the code starts.
    ///
    /// ### Order
    /// - A task that begins or continues from another thread is given to the engines in turn. A task that begins or continues from an
    ///   engine's thread stays there, or is given to the other engines in turn while 32 wait there.
    /// - A request runs on the engine of its task if the limits on connections allow it. Each engine has connections of its own, also with
    ///   HTTP/2.
    /// - After 256 steps of tasks, the transfers of the thread have their turn. The priority of tasks has no effect.
    ///
    /// The executor keeps the engines' threads, also when the transport has been released.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public var taskExecutor: any TaskExecutor { runner as? EngineExecutor ?? EngineExecutor(engine) }
}

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
    // Proof: accesses to the properties need no check for overlaps. Each is a read, an assignment, or a method of an array; none is in
    // progress while a job runs, which may append others.

    /// The number of jobs after which transfers get their turn.
    static let perRound = 256

    @exclusivity(unchecked) private var waiting: [EngineJob] = []
    @exclusivity(unchecked) private var batch: [EngineJob] = []
    /// The place in the batch of the next job.
    @exclusivity(unchecked) private var next = 0

    var count: Int { waiting.count + batch.count - next }
    var isEmpty: Bool { count == 0 }

    func append(_ job: EngineJob) { waiting.append(job) }

    /// Runs up to ``perRound`` jobs, including jobs that these queue. Returns false if there were none.
    ///
    /// - Parameter goesOn: Returns whether the next job may run.
    func run(while goesOn: () -> Bool) -> Bool {
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
