package import MartletEssentials

/// Reads a file on its own lane, so that a file system that hangs does not block the threads that run tasks.
package final class FileBodyReader: HTTPBodyReader {
    private let file: LaneFile
    private let read = PendingRead()

    /// - Parameter count: The number of bytes to read from the start. Default: nil, all bytes.
    package init(_ file: FileBody, upTo count: Int64? = nil) { self.file = LaneFile(file, upTo: count) }

    deinit { file.close() }

    package func next() async throws(HTTPError) -> Data? { try await next(upTo: FileReader.chunkSize) }

    /// Returns the next bytes of one read, or nil at the end.
    func next(upTo size: Int) async throws(HTTPError) -> Data? {
        try await read.chunk(cancel: cancel) {
            file.use { [read] reader in
                do throws(HTTPError) { read.finish(.success(try reader.get().read(upTo: size))) } catch { read.finish(.failure(error)) }
            }
        }
    }

    package func cancel(_ reason: HTTPError) { read.cancel(reason) }
}
