internal import MartletSystem

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
