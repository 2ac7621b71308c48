import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("SQLiteCacheStore: corrupt files", .timeLimit(.minutes(5)))
struct CorruptionTests {
    private static let samples = (0..<30).map { Sample("s\($0)", bytes: $0 % 5 == 0 ? 90_000 : $0 * 100) }

    /// Returns the files of a store with the samples, after it was closed or while it is used.
    private static func files(whileInUse: Bool) async throws -> [String: Data] {
        let scratch = Scratch(), store = scratch.store { $0.chunkBytes = 20_000 }
        for sample in Self.samples { try await store.put(sample) }
        if !whileInUse { await store.close() }
        var files: [String: Data] = [:]
        for ending in ["", "-wal"] {
            files[ending] = try? Data(contentsOf: URL(fileURLWithPath: scratch.file.path + ending))
        }
        return files
    }

    // Made once.
    private static let closed = Task { try await files(whileInUse: false) }
    private static let inUse = Task { try await files(whileInUse: true) }

    private func damage(_ data: inout Data, _ generator: inout SeededGenerator) {
        guard !data.isEmpty else { return }
        let place = Int.random(in: 0..<data.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: data = data.prefix(place)
        case 1: data.replaceSubrange(place..<min(data.count, place + 5000), with: Data(count: min(5000, data.count - place)))
        case 2:
            // A page from another place in the file.
            let page = place / 4096 * 4096, other = Int.random(in: 0..<(data.count / 4096 + 1), using: &generator) * 4096
            let source = data.subdata(in: min(other, data.count)..<min(other + 4096, data.count))
            data.replaceSubrange(page..<min(page + source.count, data.count), with: source.prefix(data.count - page))
        case 3: data[place % min(data.count, 200)] ^= UInt8.random(in: 1...255, using: &generator)
        default:
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                data[Int.random(in: 0..<data.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            }
        }
    }

    @Test("A file that is damaged anywhere never returns a wrong body, and the store continues to work", arguments: [false, true], 0..<4)
    func damaged(whileInUse: Bool, part: Int) async throws {
        let files = try await (whileInUse ? Self.inUse : Self.closed).value
        var generator = SeededGenerator(seed: UInt64(part))
        var found = 0, setAside = 0
        for round in 0..<20 {
            let scratch = Scratch()
            try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
            let chosen = whileInUse && round % 2 == 0 ? "-wal" : ""
            for (ending, data) in files {
                var data = data
                if ending == chosen { damage(&data, &generator) }
                try data.write(to: URL(fileURLWithPath: scratch.file.path + ending))
            }
            let store = scratch.store { $0.chunkBytes = 20_000 }
            for sample in Self.samples {
                for entry in try await store.entries(for: sample.key) {
                    guard let body = try? await entry.body.collect() else { continue }
                    #expect(body == sample.body && entry.response == sample.response, "round \(round)")
                    found += 1
                }
            }
            let new = Sample("new", bytes: 100_000)
            // Damage found in the middle of a body fails only that body.
            if (try? await store.put(new)) != true { #expect(try await store.put(new), "round \(round)") }
            #expect(try await store.has(new), "round \(round)")
            setAside += scratch.events.count
            await store.close()
        }
        #expect(found > 0)
        #expect(setAside > 0 || whileInUse)
    }

    /// Changes the file behind the store's back.
    private func meddle(_ scratch: Scratch, _ sql: String) throws {
        let connection = try SQLiteConnection(try SQLiteLibrary.shared(), path: scratch.file.path, busyTimeout: .seconds(5))
        #expect(try connection.execute(sql) > 0)
    }

    @Test(
        "Damage that only a checksum detects is found when it is read, and the file is replaced",
        arguments: [
            "UPDATE entries SET body = zeroblob(length(body)) WHERE body IS NOT NULL", "UPDATE entries SET head = head || x'00'",
            "UPDATE entries SET length = length - 1", "UPDATE entries SET chunked = chunked + 1 WHERE chunked IS NOT NULL",
            "UPDATE chunks SET bytes = zeroblob(length(bytes))", "UPDATE chunks SET sum = sum + 1",
            "DELETE FROM chunks WHERE place % 2 = 1",
            "UPDATE chunks SET bytes = (SELECT bytes FROM chunks WHERE place % 2 = 0), sum = (SELECT sum FROM chunks WHERE place % 2 = 0) "
                + "WHERE place % 2 = 1",
            "UPDATE entries SET uri = 'http://birds.test/other' WHERE uri = 'http://birds.test/small'",
        ])
    func inTheMiddle(sql: String) async throws {
        let scratch = Scratch(), store = scratch.store { $0.chunkBytes = 20_000 }
        let samples = [Sample("small"), Sample("large", bytes: 90_000), Sample("larger", bytes: 100_000)]
        for sample in samples { try await store.put(sample) }
        let open = try #require(try await store.body(of: samples[2]))
        try meddle(scratch, sql)
        for key in samples.map(\.key) + [Sample("other").key] {
            for entry in try await store.entries(for: key) {
                guard let body = try? await entry.body.collect() else { continue }
                #expect(samples.contains { $0.response == entry.response && $0.body == body })
            }
        }
        #expect(scratch.events.count == 1)
        guard case .corruptFile? = scratch.events.first else {
            Issue.record("\(scratch.events)")
            return
        }
        // A body that was found before belongs to the replaced file.
        await #expect(throws: HTTPError.self) { try await open.collect() }
        for sample in samples {
            #expect(try await store.put(sample))
            #expect(try await store.has(sample))
        }
        #expect(scratch.events.count == 1)
    }

    @Test("A store whose file was set aside by another store uses the new file and sets nothing aside itself")
    func together() async throws {
        let scratch = Scratch(), time = ManualTime()
        let one = scratch.store(time: time) { $0.chunkBytes = 20_000 }, other = scratch.store(time: time)
        let sample = Sample("large", bytes: 90_000), next = Sample("next"), file = try StoreFile(scratch.file)
        try await one.put(sample)
        let identity = try #require(file.identity)
        #expect(try await other.has(sample))
        try meddle(scratch, "UPDATE chunks SET bytes = zeroblob(length(bytes))")
        #expect(await (try? one.has(sample)) != true)
        try await one.put(next)
        time.advance(by: .seconds(1))
        #expect(try await other.has(next))
        try await other.put(sample)
        #expect(try await one.has(sample))
        // A second report of the same damage arrives later.
        try file.setAside(corrupt: identity, "damaged", one.core.settings)
        #expect(try await one.has(sample))
        #expect(scratch.events.count == 1)
    }

    @Test("A head written by an unknown version is not found, and is replaced")
    func unreadable() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try await store.put(sample)
        let head = Data("MRT9 of a later version".utf8), body = Checksum.of(sample.body)
        let sum = Checksum.of(head, at: body, -1, Int64(sample.body.count))
        try meddle(
            scratch,
            "UPDATE entries SET head = x'\(head.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())', headsum = \(sum)"
        )
        #expect(try await store.entries(for: sample.key).isEmpty)
        try await store.put(sample)
        #expect(try await store.has(sample))
        #expect(try await store.count == 1)
        #expect(scratch.events == [])
    }
}
