internal import MartletSystem

/// The lanes on which the files of bodies are opened, examined, read and closed: at most ``limit`` in the whole process.
///
/// A file system that stops responding occupies a lane and its thread until it responds. Further work waits for a free lane, without a
/// thread. If no lane becomes free for ``patience``, new work is refused.
package final class FileLanes: Sendable {
    /// The lanes shared by the whole process.
    package static let shared = FileLanes()
    /// The number of lanes. Dispatch has some 250 threads for the whole process.
    static let limit = 64
    /// How long all lanes may be occupied without one becoming free before new work is refused.
    package static let patience = Duration.seconds(5)

    private let limit: Int
    private let lane: Lane
    private let refusals = Lane("martlet.file.refused")

    init(limit: Int = FileLanes.limit, time: any TimeSource = .system) {
        self.limit = limit
        lane = Lane("martlet.file", width: limit, time: time)
    }

    /// Runs `work` on a lane and returns its value.
    ///
    /// - Throws: `.cancelled` without waiting if the task is cancelled, `.invalidRequest` if too many files do not respond, and what `work`
    ///   throws.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws(HTTPError) -> Value) async throws(HTTPError) -> Value {
        if let refusal { throw refusal }
        return try await lane.run(cancelled: HTTPError.cancelled, work)
    }

    /// Runs `work` when a lane is free, without waiting for it.
    func post(_ work: @escaping @Sendable () -> Void) { lane.post(work) }

    /// Returns a lane for the work on one file, which runs in order and occupies at most one of these lanes.
    ///
    /// After 16 pieces of work it lets other files continue. Each piece that ends shows that the file system responds.
    package func makeLane() -> Lane { Lane(jobsPerTurn: 16, noteProgress: noteTurn, startWorker: post) }

    /// The error for new work if no lane becomes free, or nil.
    package var refusal: HTTPError? {
        guard lane.isStuck(for: FileLanes.patience) else { return nil }
        return .invalidRequest(
            Explanation("can't open another file for a body: \(limit) files have not responded for \(FileLanes.patience)"))
    }

    /// The number of work items that wait for a lane.
    var waitingCount: Int { lane.waitingCount }

    /// Records that a file system has responded during the work of a lane.
    func noteTurn() { lane.noteTurn() }

    /// Calls `body` for refused work on another thread than the caller's. `body` must not block.
    func refuse(_ body: @escaping @Sendable () -> Void) { refusals.post(body) }
}
