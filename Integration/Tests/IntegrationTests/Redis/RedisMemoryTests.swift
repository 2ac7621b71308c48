import Foundation
import Martlet
import MartletRedis
import MartletTesting
import Testing

/// Measures the whole process, so no other test may run in it.
@Suite("A store in Redis: memory", .timeLimit(.minutes(2)))
struct RedisMemoryTests {
    @Test("A body of 256 MB is stored and read without being held in memory")
    func memory() async throws {
        let server = try await RedisServer.start()
        let store = server.store { $0.maxBodyBytes = 1 << 30 }
        let sample = StoredSample("one"), chunk = StoredSample("chunk", bytes: 1 << 20).body
        let writer = try #require(try await store.writer(for: sample.response, length: 256 << 20))
        let before = try residentBytes()
        var most = before, read = 0
        for _ in 0..<256 {
            #expect(try await writer.write(chunk))
            most = max(most, try residentBytes())
        }
        try await writer.finish()
        let entry = try #require(try await store.entries(for: sample.response.key).first)
        for try await piece in entry.body {
            read += piece.count
            most = max(most, try residentBytes())
        }
        #expect(read == 256 << 20)
        #expect(most - before < 32 << 20, "\((most - before) >> 20) MiB")
    }

    private func residentBytes() throws -> Int {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(pages[1]) ?? 0) * 4096
    }
}
