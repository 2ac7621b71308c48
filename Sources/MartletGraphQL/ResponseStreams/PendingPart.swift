internal import MartletSystem

/// A part that is being read while earlier data may be delivered. Releasing it stops the reading.
final class PendingPart: Sendable {
    /// The result of reading, and the parts that follow.
    struct Outcome: Sendable {
        let parts: JSONParts
        let part: Result<JSONParts.Part?, HTTPError>
    }

    private let task: Task<Outcome, Never>

    /// Starts to read the next part of `parts`.
    init(_ parts: JSONParts, upTo limit: Int) {
        task = Task {
            var parts = parts
            let part: Result<JSONParts.Part?, HTTPError>
            do throws(HTTPError) { part = .success(try await parts.next(upTo: limit)) } catch { part = .failure(error) }
            return Outcome(parts: parts, part: part)
        }
    }

    deinit { task.cancel() }

    /// Returns the outcome, or nil if `wait` passes first. A nil `wait` sets no limit. Cancelling the task cancels the reading.
    func outcome(within wait: Duration?, time: any TimeSource) async -> Outcome? {
        let first = OneShot<Outcome?>()
        Task { [task] in first.set(await task.value) }
        let timer = wait.map { time.timer(at: time.instant + $0) { first.set(nil) } }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await first.value()
        } onCancel: {
            task.cancel()
        }
    }
}
