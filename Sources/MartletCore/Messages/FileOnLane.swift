/// A file that is opened, read and closed on a lane of its own, since each of the three may block for as long as the file system does.
package final class FileOnLane: Sendable {
    private let file: FileBody
    private let count: Int64?
    private let lane = Lane("martlet.file")
    /// The open file. Read and written on the lane only.
    private let reader = Locked<FileReader?>(nil)

    /// - Parameter count: the number of bytes, from the first. Default: nil, all of them.
    package init(_ file: FileBody, upTo count: Int64? = nil) {
        self.file = file
        self.count = count
    }

    /// Calls `body` on the lane with the file, which the first call opens, or with the error of opening it.
    package func use(_ body: @escaping @Sendable (Result<FileReader, HTTPError>) -> Void) {
        lane.post {
            do throws(HTTPError) { body(.success(try self.opened())) } catch { body(.failure(error)) }
        }
    }

    /// Closes the file after what the lane has to do. The caller does not wait.
    package func close() { lane.post { _ = self.reader.withLock { $0.take() } } }

    private func opened() throws(HTTPError) -> FileReader {
        if let open = reader.withLock({ $0 }) { return open }
        let open = try file.open(upTo: count)
        reader.withLock { $0 = open }
        return open
    }
}
