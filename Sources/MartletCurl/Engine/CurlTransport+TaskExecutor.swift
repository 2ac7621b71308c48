internal import MartletEngine
internal import MartletHTTP

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension EngineExecutor {
    /// Creates the executor of a transport, which keeps the engines' threads.
    convenience init(_ engine: LazyEngine) {
        self.init { job in
            // In a forked child, which has no engine threads, `made` throws. The calls of the task fail with that error.
            guard let engine = try? engine.made else { return false }
            engine.run(job)
            return true
        }
    }
}

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
