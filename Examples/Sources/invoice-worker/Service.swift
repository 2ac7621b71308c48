import Martlet

/// The running worker, and its end.
struct Service: Sendable {
    let worker: Worker
    /// How long running jobs may continue after the signal. Orchestrators kill the process after a similar time.
    let limit: Duration
    let time: any TimeSource

    /// Works until `stop` delivers a signal, or until the queue is closed.
    ///
    /// After the signal no job begins, and the running ones may finish within the limit. The others are put back.
    func run(_ queue: JobQueue, until stop: AsyncStream<Void>) async {
        let work = Task { await worker.run(queue) }
        let shutdown = Task {
            for await _ in stop { break }
            try Task.checkCancellation()
            await queue.close()
            try await time.sleep(for: limit)
            _ = await worker.partner.drain(within: .zero)  // cancels the running calls and refuses new ones
        }
        await work.value
        shutdown.cancel()
    }
}
