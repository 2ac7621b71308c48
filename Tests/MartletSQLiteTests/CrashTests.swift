import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import SQLiteWriter

/// `STRESS_KILLS=100 swift test --filter CrashTests` kills as many processes as CI does. Run it alone.
@Suite("SQLiteCacheStore: killed processes", .timeLimit(.minutes(5)))
struct CrashTests {
    private static let kills = ProcessInfo.processInfo.environment["STRESS_KILLS"].flatMap { Int($0) } ?? 10

    /// Returns the differences between the stored responses and the output of a process that wrote them.
    private func faults(_ store: SQLiteCacheStore, _ said: String, by name: String) async throws -> [String] {
        let stored = said.split(separator: "\n").compactMap { Int($0.filter { $0 != "." }) }
        var faults = said.contains("!") ? [said] : [], newest: [CacheKey: Int] = [:]
        for number in stored { newest[Written.key(number)] = number }
        for number in 0..<Written.keys {
            let key = Written.key(number), entries = try await store.entries(for: key)
            if entries.count > 1 { faults.append("\(key.uri) has \(entries.count) responses") }
            for entry in entries {
                let id = entry.response.id, body = try await entry.body.collect()
                if body != Written.body(of: id) { faults.append("\(id) has other bytes: \(body.count)") }
            }
            // The response that the process reported, or a later one with the same key, must be stored.
            guard let expected = newest[key] else { continue }
            let found = entries.first.flatMap { $0.response.id.split(separator: "-").last.flatMap { Int($0) } } ?? -1
            let isLater = entries.first?.response.id.hasPrefix(name + "-") == true && found >= expected
            if !isLater { faults.append("\(key.uri) has \(entries.first?.response.id ?? "nothing"), and \(expected) was stored") }
        }
        return faults
    }

    @Test("Processes that are killed at any moment leave a file that opens and contains only complete responses")
    func killed() async throws {
        let scratch = Scratch()
        var generator = SeededGenerator(seed: 3), cut = 0
        for round in 0..<Self.kills {
            let process = try WriterProcess(scratch.file, name: "r\(round)")
            let said = await process.kill(after: Int.random(in: 1...60, using: &generator))
            if said.hasSuffix(".") { cut += 1 }
            // Five seconds later, well before a lease expires.
            let time = ManualTime(now: Date().addingTimeInterval(5))
            let store = scratch.store(capacity: 1_500_000, time: time) { $0.grace = .zero }
            #expect(try await faults(store, said, by: "r\(round)") == [], "round \(round)")
            // Unfinished and replaced bodies are removed, and the store continues to work.
            for _ in 0..<50 where try await store.looseBytes > 0 { try await store.settle() }
            #expect(try await store.looseBytes == 0, "round \(round)")
            #expect(try await store.put(Sample("mine")))
            #expect(try await store.has(Sample("mine")))
            await store.close()
        }
        #expect(scratch.events == [])
        // Enough processes must have been killed in the middle of a body. With few rounds, all may have been between two.
        #expect(cut >= Self.kills / 20)
    }

    @Test("Two processes that write to one file do not lose each other's responses")
    func together() async throws {
        let scratch = Scratch()
        let one = try WriterProcess(scratch.file, name: "one", count: 20), other = try WriterProcess(scratch.file, name: "other", count: 20)
        let store = scratch.store(capacity: 1_500_000)
        var found = 0
        for round in 0..<60 {
            for entry in try await store.entries(for: Written.key(round)) {
                // A body in chunks may be removed while it is read. That must be an error.
                guard let body = try? await entry.body.collect() else { continue }
                #expect(body == Written.body(of: entry.response.id))
                found += 1
            }
        }
        async let said = one.finish()
        let words = await other.finish() + (await said)
        #expect(one.wasSuccessful && other.wasSuccessful, "\(words)")
        #expect(!words.contains("!"))
        #expect(scratch.events == [])
        for number in 0..<Written.keys {
            for entry in try await store.entries(for: Written.key(number)) {
                #expect(try await entry.body.collect() == Written.body(of: entry.response.id))
            }
        }
    }
}
