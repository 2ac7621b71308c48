internal import MartletSystem

/// A file that is opened, read and closed on one of the process's ``FileLanes``, since each of the three may block for as long as the file
/// system does.
///
/// Its jobs run in order and take one lane at a time, however many there are.
package final class LaneFile: Sendable {
    private let file: FileBody
    private let count: Int64?
    private let lanes: FileLanes
    /// The jobs of this file. They run on the lanes, a few at a time, in turn with other files.
    private let jobs: Lane
    /// Whether there has been a job, which may have opened the file.
    private let hasBegun = Locked(false)
    /// The open file. Read and written by jobs only.
    private let reader = Locked<FileReader?>(nil)

    /// - Parameters:
    ///   - count: the number of bytes, from the first. Default: nil, all of them.
    ///   - lanes: where it is opened and read. Default: the lanes of the process.
    package init(_ file: FileBody, upTo count: Int64? = nil, lanes: FileLanes = .shared) {
        self.file = file
        self.count = count
        self.lanes = lanes
        jobs = Lane(jobsPerTurn: 16, startWorker: lanes.post)
    }

    /// Calls `body` on a lane with the file, which the first call opens, or with the error of opening it; with `.invalidRequest`, soon, when
    /// too many files do not respond.
    package func use(_ body: @escaping @Sendable (Result<FileReader, HTTPError>) -> Void) {
        if let refusal = lanes.refusal { return lanes.refuse { body(.failure(refusal)) } }
        hasBegun.withLock { $0 = true }
        jobs.post {
            do throws(HTTPError) { body(.success(try self.opened())) } catch { body(.failure(error)) }
        }
    }

    /// Closes the file after the jobs before. The caller does not wait.
    package func close() {
        // Also while no lane is free: a file that was refused each time was never opened.
        guard hasBegun.withLock({ $0 }) else { return }
        jobs.post { _ = self.reader.withLock { $0.take() } }
    }

    /// Notes, within a job, that the file system has responded.
    package func noteTurn() { lanes.noteTurn() }

    private func opened() throws(HTTPError) -> FileReader {
        if let open = reader.withLock({ $0 }) { return open }
        let open = try file.open(upTo: count)
        reader.withLock { $0 = open }
        return open
    }
}
