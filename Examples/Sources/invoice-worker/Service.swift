import Martlet

/// The running worker, and its end.
struct Service: Sendable {
    let worker: Worker
    /// How long running jobs may continue after the signal. Orchestrators kill the process after a similar time.
    let limit: Duration
    let time: any TimeSource

    /// Works until `stop` delivers a signal, or until the queue is closed. It closes the queue at its end.
    ///
    /// After the signal no job begins, and the running ones may finish within the limit. The others are put back. If the task is
    /// cancelled, running jobs are put back immediately.
    func run(_ queue: JobQueue, until stop: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in stop { break }  // also ends when this task is cancelled
                await queue.close()
                do { try await time.sleep(for: limit) } catch { return }  // every job has ended
                _ = await worker.partner.drain(within: .zero)  // cancels the running calls and refuses new ones
            }
            await worker.run(queue)
            group.cancelAll()
        }
    }
}
