internal import Foundation
internal import MartletHTTP
internal import MartletSystem

/// A temporary file with a streamed request body, for FoundationNetworking: its `httpBodyStream` would block all exchanges of the process
/// while a chunk is not available.
final class SpooledFile: Sendable {
    let url: URL
    /// The jobs of this file, which may block as long as the file system does.
    private let jobs = FileLanes.shared.makeLane()

    private init() { url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)") }

    deinit { jobs.post { [url] in try? FileManager.default.removeItem(at: url) } }

    /// Writes a body to a new file that only this user can read.
    ///
    /// Throws the body's error, and `.invalidRequest` if the body's length differs from its declared length or exceeds `limit`, or the file
    /// cannot be written.
    static func write(_ body: HTTPBody, limit: Int64) async throws(HTTPError) -> SpooledFile {
        let file = SpooledFile()
        let handle = try await file.run { [url = file.url] () throws(HTTPError) in
            let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw .invalidRequest(
                    Explanation("the file for the streamed body can't be created in \(url.deletingLastPathComponent().path)"))
            }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        // After the write that a cancelled call has left.
        defer { file.jobs.post { try? handle.close() } }
        var left = limit
        var chunks = PromisedChunks(body)
        while let chunk = try await chunks.next() {
            left -= Int64(chunk.count)
            guard left >= 0 else {
                throw .invalidRequest(
                    Explanation("the streamed body exceeds the limit of \(limit) bytes: see maxSpooledBytes of URLSessionTransport"))
            }
            try await file.run { () throws(HTTPError) in
                do { try handle.write(contentsOf: chunk) } catch {
                    throw .invalidRequest(
                        Explanation("the streamed body can't be written to its file", context: ErrorContext(underlying: error)))
                }
            }
        }
        return file
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws(HTTPError) -> Value) async throws(HTTPError) -> Value {
        if let refusal = FileLanes.shared.refusal { throw refusal }
        return try await jobs.run(cancelled: HTTPError.cancelled, work)
    }
}
