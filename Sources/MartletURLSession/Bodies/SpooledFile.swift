internal import Foundation
internal import MartletHTTP
internal import MartletSystem

/// A temporary file with a streamed request body, for FoundationNetworking: its `httpBodyStream` would block all exchanges of the process
/// while a chunk is not available.
final class SpooledFile: Sendable {
    let url: URL

    private init() { url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)") }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a body to a new file that only this user can read.
    ///
    /// Throws the body's error, and `.invalidRequest` if the body's length differs from its declared length or exceeds `limit`, or the file
    /// cannot be written.
    static func write(_ body: HTTPBody, limit: Int64) async throws(HTTPError) -> SpooledFile {
        let file = SpooledFile()
        let descriptor = open(file.url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .invalidRequest(
                Explanation("the file for the streamed body can't be created in \(file.url.deletingLastPathComponent().path)"))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        var left = limit
        var chunks = PromisedChunks(body)
        while let chunk = try await chunks.next() {
            left -= Int64(chunk.count)
            guard left >= 0 else {
                throw .invalidRequest(
                    Explanation("the streamed body exceeds the limit of \(limit) bytes: see URLSessionTransport.Buffers.spooled"))
            }
            do { try handle.write(contentsOf: chunk) } catch {
                throw .invalidRequest(
                    Explanation("the streamed body can't be written to its file", context: ErrorContext(underlying: error)))
            }
        }
        return file
    }
}
