internal import Foundation
internal import MartletHTTP
internal import MartletSystem

/// A streamed request body in a file of its own, for FoundationNetworking: its `httpBodyStream` would stop every other exchange of the
/// process while the next chunk is not there.
final class SpooledFile: Sendable {
    let url: URL

    private init() { url = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)") }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a body to a new file that only this user can read.
    ///
    /// Throws what the body throws, and `.invalidRequest` when it is not as long as it promised, is longer than `limit`, or can't be
    /// written.
    static func write(_ body: HTTPBody, limit: Int64) async throws(HTTPError) -> SpooledFile {
        let file = SpooledFile()
        let descriptor = open(file.url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .invalidRequest(
                Explanation("no file for the streamed body could be made in \(file.url.deletingLastPathComponent().path)"))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        var left = limit
        var chunks = PromisedChunks(body)
        while let chunk = try await chunks.next() {
            left -= Int64(chunk.count)
            guard left >= 0 else {
                throw .invalidRequest(
                    Explanation("the streamed body is longer than the \(limit) bytes that may be kept in a file until it is sent"))
            }
            do { try handle.write(contentsOf: chunk) } catch {
                throw .invalidRequest(Explanation("the streamed body can't be kept in a file", context: ErrorContext(underlying: error)))
            }
        }
        return file
    }
}
