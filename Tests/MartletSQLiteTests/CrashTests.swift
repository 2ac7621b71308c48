import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import SQLiteWriter

/// `STRESS_KILLS=100 swift test --filter CrashTests` kills as many processes as CI does, when nothing else runs.
@Suite("SQLiteCacheStore: killed processes", .timeLimit(.minutes(5)))
struct CrashTests {
    private static let kills = ProcessInfo.processInfo.environment["STRESS_KILLS"].flatMap { Int($0) } ?? 10

    /// What is wrong with what is found, after a process said what it has stored.
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
            // What it said it had stored is there, or what it stored after that in the same place.
            guard let expected = newest[key] else { continue }
            let found = entries.first.flatMap { $0.response.id.split(separator: "-").last.flatMap { Int($0) } } ?? -1
            let isLater = entries.first?.response.id.hasPrefix(name + "-") == true && found >= expected
            if !isLater { faults.append("\(key.uri) has \(entries.first?.response.id ?? "nothing"), and \(expected) was stored") }
        }
        return faults
    }

    @Test("A process that is killed in the middle, again and again, leaves a file that opens, and nothing that is not whole")
    func killed() async throws {
        let scratch = Scratch()
        var generator = SeededGenerator(seed: 3), cut = 0
        for round in 0..<Self.kills {
            let process = try WriterProcess(scratch.file, name: "r\(round)")
            let said = await process.kill(after: Int.random(in: 1...60, using: &generator))
            if said.hasSuffix(".") { cut += 1 }
            // Five seconds later, well before a lease ends.
            let time = ManualTime(now: Date().addingTimeInterval(5))
            let store = scratch.store(capacity: 1_500_000, time: time) { $0.grace = .zero }
            #expect(try await faults(store, said, by: "r\(round)") == [], "round \(round)")
            // Nothing stays of what was begun or replaced, and the store goes on.
            for _ in 0..<50 where try await store.looseBytes > 0 { try await store.settle() }
            #expect(try await store.looseBytes == 0, "round \(round)")
            #expect(try await store.put(Sample("mine")))
            #expect(try await store.has(Sample("mine")))
            await store.close()
        }
        #expect(scratch.events == [])
        // Enough were in the middle of a body; of few, all may have been between two.
        #expect(cut >= Self.kills / 20)
    }

    @Test("Two processes that write to one file at once lose nothing of each other's")
    func together() async throws {
        let scratch = Scratch()
        let one = try WriterProcess(scratch.file, name: "one", count: 20), other = try WriterProcess(scratch.file, name: "other", count: 20)
        let store = scratch.store(capacity: 1_500_000)
        var found = 0
        for round in 0..<60 {
            for entry in try await store.entries(for: Written.key(round)) {
                // Bodies in chunks may go while they are read: then there is an error.
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
