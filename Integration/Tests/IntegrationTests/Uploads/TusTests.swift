import Foundation
import Martlet
import Testing

@Suite("tuspyserver: resumable uploads")
struct TusTests {
    private let movie = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })

    private func client() throws -> HTTPClient { HTTPClient(baseURL: try Servers.url("TUS", scheme: "http")) }

    private func file() throws -> URL {
        let file = URL(fileURLWithPath: try Servers.path("movie-\(UUID().uuidString)"))
        try movie.write(to: file)
        return file
    }

    private func uploaded(_ upload: TransferredFile) throws -> Data {
        try Servers.data("tus/" + upload.url.lastPathComponent)
    }

    @Test("A file arrives complete, in one part and in several", arguments: [nil, 700_000] as [Int64?])
    func whole(chunkBytes: Int64?) async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        let upload = try await client().uploadResumably(
            file, to: .post("files/"),
            options: .init(metadata: ["filename": "a b.mov", "filetype": "video/quicktime"], chunkBytes: chunkBytes))
        #expect(upload.bytes == Int64(movie.count) && upload.resumptions == 0)
        #expect(try uploaded(upload) == movie)
    }

    @Test("A later call resumes a cancelled upload at the server's offset")
    func resumed() async throws {
        let file = try file()
        defer { try? FileManager.default.removeItem(at: file) }
        let client = try client()
        let location = Location()
        let first = Task {
            try await client.uploadResumably(
                file, to: .post("files/"),
                options: .init(
                    // This server does not serve HEAD for an upload without a name and a type.
                    metadata: ["filename": "a.mov", "filetype": "video/quicktime"], chunkBytes: 100_000, progressInterval: .zero,
                    onCreated: { location.set($0) })
            ) { progress in
                if progress.bytes > 1_000_000 { location.reach() }
            }
        }
        await location.reached()
        first.cancel()
        _ = await first.result
        let upload = try await client.uploadResumably(file, to: .post("files/"), options: .init(location: location.url))
        #expect(upload.resumedBytes >= 1_000_000 && upload.bytes == Int64(movie.count))
        #expect(try uploaded(upload) == movie)
    }

    /// The URL of the upload, and a signal that enough bytes were sent.
    private final class Location: @unchecked Sendable {
        // Safe: the lock guards the stored URL.
        private let lock = NSLock()
        private var stored: URL?
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        var url: URL? { lock.withLock { stored } }
        func set(_ url: URL) { lock.withLock { stored = url } }
        func reach() { continuation.finish() }
        func reached() async { for await _ in stream {} }
    }
}
