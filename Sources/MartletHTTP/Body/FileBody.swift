package import MartletEssentials
internal import MartletSystem

/// A regular file as a body, or the end of one: its path, and the range to send as determined when the request was created.
package struct FileBody: Sendable {
    package let path: String
    /// The offset of the first byte to send.
    package let start: Int64
    /// The number of bytes to send.
    package let length: Int64
    /// Whether opening and reading may block, as they do for a FIFO. False for every body that an app creates: a regular file never blocks
    /// in this way, and a file replaced by a FIFO must fail. Tests set it to simulate a file system that hangs.
    private let waits: Bool

    init(_ url: URL, from start: Int64 = 0) throws(HTTPError) {
        guard url.isFileURL else { throw .invalidRequest(Explanation("the body's file is not a file URL: \(Redaction.url(url))")) }
        path = url.path
        let size = try FileBody.size(of: path)
        guard (0...size).contains(start) else {
            throw .invalidRequest(Explanation("the body's file has no byte \(start): \(Redaction.line(path))"))
        }
        self.start = start
        length = size - start
        waits = false
    }

    /// Creates a body from a file without checking it, whose opening blocks while it has no writer. For tests.
    init(hangingAt path: String, length: Int64) {
        self.path = path
        self.length = length
        start = 0
        waits = true
    }

    /// Returns the current size of the whole file. Throws `.invalidRequest` if bytes of the body are missing.
    package func currentSize() throws(HTTPError) -> Int64 {
        let size = try FileBody.size(of: path)
        guard size >= start + length else { throw FileReader.shortened(path) }
        return size
    }

    private static func size(of path: String) throws(HTTPError) -> Int64 { try FileReader(path: path, from: 0, remaining: 0).size() }

    /// Opens the file for its first `count` bytes, or for all bytes if `count` is nil. Blocks as long as the file system does.
    package func open(upTo count: Int64? = nil) throws(HTTPError) -> FileReader {
        try FileReader(path: path, from: start, remaining: min(count ?? length, length), waits: waits)
    }
}

/// An open file that returns exactly the promised number of bytes. Every call may block: make it on a ``Lane``.
package final class FileReader: Sendable {
    package static let chunkSize = 64 * 1024

    private let descriptor: Int32
    private let path: String
    private let start: Int64
    private let length: Int64
    private let remaining: Locked<Int64>

    fileprivate init(path: String, from start: Int64, remaining: Int64, waits: Bool = false) throws(HTTPError) {
        // Without O_NONBLOCK, opening a pipe would block until it has a writer. The flag has no effect on regular files.
        let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
        descriptor = FileReader.uninterrupted { open(path, flags) }
        self.path = path
        self.start = start
        length = remaining
        self.remaining = Locked(remaining)
        guard descriptor >= 0 else { throw FileReader.failure("can't be opened", path, errno) }
        guard start == 0 || rewind() else { throw FileReader.failure("can't be read from byte \(start)", path, errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    fileprivate func size() throws(HTTPError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileReader.failure("can't be examined", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest(Explanation("the body's file is not a regular file: \(Redaction.line(path))"))
        }
        return Int64(status.st_size)
    }

    /// Seeks to the first byte to send. Returns whether it succeeded.
    package func rewind() -> Bool {
        remaining.withLock { $0 = length }
        return lseek(descriptor, off_t(start), SEEK_SET) == off_t(start)
    }

    /// Returns the next bytes, or nil after all promised bytes.
    package func read(upTo count: Int) throws(HTTPError) -> Data? {
        var bytes = Data(count: count)
        let result: Result<Int, HTTPError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(HTTPError) { return .success(try read(into: buffer)) } catch { return .failure(error) }
        }
        let got = try result.get()
        return got == 0 ? nil : bytes.prefix(got)
    }

    /// Fills a buffer with one read and returns the number of bytes. Returns 0 after all promised bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
        let wanted = Int(min(Int64(buffer.count), remaining.withLock { $0 }))
        guard wanted > 0, let base = buffer.baseAddress else { return 0 }
        let got = FileReader.uninterrupted { systemRead(descriptor, base, wanted) }
        guard got >= 0 else { throw FileReader.failure("can't be read", path, errno) }
        guard got > 0 else { throw FileReader.shortened(path) }
        remaining.withLock { $0 -= Int64(got) }
        return got
    }

    /// Repeats a system call while signals interrupt it (`EINTR`).
    static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    fileprivate static func shortened(_ path: String) -> HTTPError {
        .invalidRequest(Explanation("the body's file became shorter while it was sent: \(Redaction.line(path))"))
    }

    private static func failure(_ what: String, _ path: String, _ code: Int32) -> HTTPError {
        .invalidRequest(Explanation("the body's file \(what) (\(SystemFailure.words(code))): \(Redaction.line(path))"))
    }
}

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
