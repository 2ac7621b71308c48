package import MartletEssentials
internal import MartletSystem

/// Bytes in memory, in pieces.
package final class DataReader: HTTPBodyReader {
    private let state: Locked<(rest: Data, reason: HTTPError?)>

    package init(_ data: Data) { state = Locked((data, nil)) }

    package func next() async throws(HTTPError) -> Data? {
        let (chunk, reason) = state.withLock { state -> (Data?, HTTPError?) in
            guard state.reason == nil, !state.rest.isEmpty else { return (nil, state.reason) }
            defer { state.rest = state.rest.dropFirst(FileReader.chunkSize) }
            return (state.rest.prefix(FileReader.chunkSize), nil)
        }
        if let reason { throw reason }
        return chunk
    }

    package func cancel(_ reason: HTTPError) { state.withLock { $0 = (Data(), $0.reason ?? reason) } }
}

/// Reads the bytes of a file on its own lane, so that a file system that hangs blocks none of the threads that run tasks.
package final class FileBodyReader: HTTPBodyReader {
    private let file: LaneFile
    private let read = PendingRead()

    /// - Parameter count: the number of bytes to read from the start. Default: nil, all bytes.
    package init(_ file: FileBody, upTo count: Int64? = nil) { self.file = LaneFile(file, upTo: count) }

    deinit { file.close() }

    package func next() async throws(HTTPError) -> Data? { try await next(upTo: FileReader.chunkSize) }

    /// Returns the next bytes, at most one read's worth, or nil at the end.
    func next(upTo size: Int) async throws(HTTPError) -> Data? {
        try await read.chunk(cancel: cancel) {
            file.use { [read] reader in
                do throws(HTTPError) { read.finish(.success(try reader.get().read(upTo: size))) } catch { read.finish(.failure(error)) }
            }
        }
    }

    package func cancel(_ reason: HTTPError) { read.cancel(reason) }
}

extension HTTPBody {
    /// What reads the body from its first byte on. A stream is taken by it, and gives nothing to others any more.
    package func reader() throws(HTTPError) -> any HTTPBodyReader {
        switch storage {
        case .data(let data): DataReader(data)
        case .file(let file): FileBodyReader(file)
        case .source(let source): try source.make()
        case .stream(let stream): stream.releaseReader()
        }
    }
}
