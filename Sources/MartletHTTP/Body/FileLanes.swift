internal import MartletSystem

/// The lanes on which the files of bodies are opened, examined, read and closed: at most ``limit`` for the whole process.
///
/// A file system that stops responding keeps the lane, and its thread, until it responds. Further work waits for a free lane, without a thread.
/// When none has become free for ``patience``, new work is refused.
package final class FileLanes: Sendable {
    /// The lanes of the process.
    package static let shared = FileLanes()
    /// The number of lanes. Dispatch has some 250 threads for the whole process.
    package static let limit = 64
    /// How long all lanes may be occupied, without one becoming free, until new work is refused.
    package static let patience = Duration.seconds(5)

    private let limit: Int
    private let lane: Lane
    private let refusals = Lane("martlet.file.refused")

    package init(limit: Int = FileLanes.limit, time: any TimeSource = .system) {
        self.limit = limit
        lane = Lane("martlet.file", width: limit, time: time)
    }

    /// Runs `work` on a lane and returns its value. Throws `.cancelled` when the task is cancelled, without waiting, and `.invalidRequest` when
    /// too many files do not respond.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws(HTTPError) -> Value) async throws(HTTPError) -> Value {
        if let refusal { throw refusal }
        return try await lane.run(cancelled: HTTPError.cancelled, work)
    }

    /// Runs `work` when a lane is free, and does not wait for it.
    package func post(_ work: @escaping @Sendable () -> Void) { lane.post(work) }

    /// Why no new work is begun; nil while lanes become free.
    package var refusal: HTTPError? {
        guard lane.isStuck(for: FileLanes.patience) else { return nil }
        return .invalidRequest(
            Explanation("no further file is opened: \(limit) files of bodies have not responded for \(FileLanes.patience)"))
    }

    /// The number of pieces of work that wait for a lane.
    package var waitingCount: Int { lane.waitingCount }

    /// Notes that a file system has responded within the work of a lane.
    package func noteTurn() { lane.noteTurn() }

    /// Calls `body`, which must not block, away from the caller's thread, for work that was refused.
    package func refuse(_ body: @escaping @Sendable () -> Void) { refusals.post(body) }
}
