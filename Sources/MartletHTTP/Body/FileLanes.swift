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
            Explanation("can't open another file for a body: \(limit) files have not responded for \(FileLanes.patience.shortText)"))
    }

    /// The number of work items that wait for a lane.
    var waitingCount: Int { lane.waitingCount }

    /// Records that a file system has responded during the work of a lane.
    func noteTurn() { lane.noteTurn() }

    /// Calls `body` for refused work on another thread than the caller's. `body` must not block.
    func refuse(_ body: @escaping @Sendable () -> Void) { refusals.post(body) }
}

/// A file that is opened, read and closed on the process's ``FileLanes``, because each operation may block as long as the file system does.
///
/// Its jobs run in order and occupy at most one lane.
package final class LaneFile: Sendable {
    private let file: FileBody
    private let count: Int64?
    private let lanes: FileLanes
    /// The jobs of this file. They run on the lanes, a few at a time, in turn with other files.
    private let jobs: Lane
    /// Whether a job has begun, which may have opened the file.
    private let hasBegun = Locked(false)
    /// The open file. Only jobs read and write it.
    private let reader = Locked<FileReader?>(nil)

    /// - Parameters:
    ///   - count: The number of bytes from the start. Default: nil, all bytes.
    ///   - lanes: The lanes for the jobs. Default: the lanes of the process.
    package init(_ file: FileBody, upTo count: Int64? = nil, lanes: FileLanes = .shared) {
        self.file = file
        self.count = count
        self.lanes = lanes
        jobs = lanes.makeLane()
    }

    /// Calls `body` on a lane with the file or the error of opening it. The first call opens the file.
    ///
    /// If too many files do not respond, `body` soon gets `.invalidRequest`.
    package func use(_ body: @escaping @Sendable (Result<FileReader, HTTPError>) -> Void) {
        if let refusal = lanes.refusal { return lanes.refuse { body(.failure(refusal)) } }
        hasBegun.withLock { $0 = true }
        jobs.post {
            do throws(HTTPError) { body(.success(try self.opened())) } catch { body(.failure(error)) }
        }
    }

    /// Closes the file after the earlier jobs, without waiting.
    package func close() {
        // Also if no lane is free: a file whose jobs were all refused was never opened.
        guard hasBegun.withLock({ $0 }) else { return }
        jobs.post { _ = self.reader.withLock { $0.take() } }
    }

    /// Records, within a job, that the file system has responded.
    package func noteTurn() { lanes.noteTurn() }

    private func opened() throws(HTTPError) -> FileReader {
        if let open = reader.withLock({ $0 }) { return open }
        let open = try file.open(upTo: count)
        noteTurn()
        reader.withLock { $0 = open }
        return open
    }
}
