import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("SQLiteCacheStore: numbers that no store writes", .timeLimit(.minutes(3)))
struct NumberDamageTests {
    struct Column: Sendable, CustomTestStringConvertible {
        let table: String
        let name: String
        var condition = ""
        /// Whether every other number in this column is detected as damage.
        var isFound = true

        var testDescription: String { "\(table).\(name)\(condition)" }
    }

    private static let columns = [
        Column(table: "entries", name: "number", condition: " WHERE chunked IS NULL", isFound: false),
        Column(table: "entries", name: "headsum"),
        Column(table: "entries", name: "bodysum"), Column(table: "entries", name: "chunked"),
        Column(table: "entries", name: "chunked", condition: " WHERE chunked IS NOT NULL"), Column(table: "entries", name: "length"),
        Column(table: "entries", name: "size", isFound: false), Column(table: "entries", name: "used", isFound: false),
        Column(table: "bodies", name: "number", condition: " WHERE state = 0", isFound: false),
        Column(table: "bodies", name: "number", condition: " WHERE state = 1", isFound: false),
        Column(table: "bodies", name: "number", condition: " WHERE state = 2", isFound: false),
        Column(table: "bodies", name: "state"), Column(table: "bodies", name: "since", isFound: false),
        Column(table: "bodies", name: "size"),
        Column(table: "chunks", name: "place", condition: " WHERE place = (SELECT max(place) FROM chunks)", isFound: false),
        Column(table: "chunks", name: "sum"), Column(table: "totals", name: "count"), Column(table: "totals", name: "bytes"),
        Column(table: "totals", name: "loose"), Column(table: "sqlite_sequence", name: "seq", isFound: false),
    ]
    private static let values = [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808", "-1", "NULL", "'text'", "1e300", "x'ff'", "549755813888",
    ]
    private static let small = Sample("small"), large = Sample("large", bytes: 90_000), other = Sample("other", bytes: 70_000)
    private static let more = (0..<8).map { Sample("more\($0)", bytes: $0 % 2 == 0 ? 60_000 : 500) }
    private static let new = Sample("new", bytes: 100_000)

    private static func connection(_ scratch: Scratch) throws -> SQLiteConnection {
        try SQLiteConnection(try SQLiteLibrary.shared(), path: scratch.file.path, busyTimeout: .seconds(5))
    }

    private static func store(_ scratch: Scratch, _ time: ManualTime) -> SQLiteCacheStore {
        scratch.store(capacity: 400_000, time: time) {
            $0.chunkBytes = 20_000
            $0.inlineBytes = 1000
        }
    }

    /// A file with small and large responses, an unfinished body and a dead one. All columns may be NULL.
    private static func makeFile() async throws -> Data {
        let scratch = Scratch(), store = store(scratch, ManualTime())
        for sample in [small, large, other] { #expect(try await store.put(sample)) }
        await store.close()
        let connection = try connection(scratch)
        for state in [0, 2] {
            try connection.execute("INSERT INTO bodies (state, since, size) VALUES (\(state), 0, 0)")
            let body = connection.lastRow
            let bytes = Sample.bytes("body", 5000), place = try Schema.place(0, of: body)
            try connection.execute("UPDATE bodies SET size = 5000 WHERE number = ?", .number(body))
            try connection.execute(
                "INSERT INTO chunks VALUES (?, ?, ?)", .number(place), .blob(bytes), .number(Checksum.of(bytes, at: place)))
        }
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return try Data(contentsOf: scratch.file)
    }

    /// The file, created once for all columns.
    private static let file = Task { try await makeFile() }

    /// Writes a value that no store would write. The checksum of a head is corrected, as an attacker would do.
    private func damage(_ scratch: Scratch, _ column: Column, _ value: String) throws -> Bool {
        let connection = try Self.connection(scratch)
        for trigger in ["entries_sized", "bodies_changed"] { try connection.execute("DROP TRIGGER \(trigger)") }
        do throws(CacheStoreError) {
            guard try connection.execute("UPDATE \(column.table) SET \(column.name) = \(value)\(column.condition)") > 0 else {
                return false
            }
        } catch { return false }
        let triggers = Schema.statements.filter { $0.contains("TRIGGER entries_sized") || $0.contains("TRIGGER bodies_changed") }
        for trigger in triggers { try connection.execute(trigger) }
        guard column.table == "entries", ["length", "chunked", "bodysum"].contains(column.name) else { return true }
        let sql = "SELECT number, head, bodysum, chunked, length FROM entries"
        let heads: [(Int64, Int64)]? = try? connection.rows(sql) { (row) throws(CacheStoreError) -> (Int64, Int64) in
            let bodySum = try row.number(2), chunked = row.isNull(3) ? -1 : try row.number(3), length = try row.number(4)
            return (try row.number(0), Checksum.of(row.data(1), at: bodySum, chunked, length))
        }
        for (number, sum) in heads ?? [] {
            try connection.execute("UPDATE entries SET headsum = ? WHERE number = ?", .number(sum), .number(number))
        }
        return true
    }

    /// Uses every operation of a store. A response that is found must equal the stored one.
    private func use(_ store: SQLiteCacheStore, _ time: ManualTime, _ what: String) async throws {
        for sample in [Self.small, Self.large, Self.other] {
            for entry in (try? await store.entries(for: sample.key)) ?? [] {
                let reader = try entry.body.reader()
                let last: Int64 = max(1, entry.body.length ?? 1) - 1
                for count in [50_000, last, 0] { _ = try? await reader.skip(count) }
                _ = try? await reader.next()
                _ = try? await reader.next()
                guard let body = try? await entry.body.collect() else { continue }
                #expect(body == sample.body && entry.response == sample.response, "\(what)")
            }
            _ = try? await store.update(sample.response)
        }
        _ = try? await (store.count, store.byteCount)
        for sample in Self.more { _ = try? await store.put(sample) }
        time.advance(by: .seconds(700))
        _ = try? await store.remove(Self.small.response)
        try await store.settle()
        _ = try? await store.removeAll(for: Self.large.key.uri)
        _ = try? await store.removeAll()
        try await store.settle()
    }

    @Test("No extreme value in any column traps or returns a wrong body, and the store remains usable", arguments: columns)
    func extremes(column: Column) async throws {
        let time = ManualTime(), file = try await Self.file.value
        for value in Self.values {
            let scratch = Scratch(), what = "\(column.testDescription) = \(value)"
            try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
            try file.write(to: scratch.file)
            guard try damage(scratch, column, value) else { continue }
            let store = Self.store(scratch, time)
            try await use(store, time, what)
            // This number of responses is valid. Removing all of them resets it.
            let isPossible = column.name == "count" && value == "549755813888"
            if column.isFound, !isPossible { #expect(scratch.events.count == 1, "\(what)") }
            for event in scratch.events {
                if case .corruptFile = event { continue }
                Issue.record("\(what): \(event)")
            }
            // Damage within a body fails only that body.
            if (try? await store.put(Self.new)) != true { #expect(try await store.put(Self.new), "\(what)") }
            #expect(try await store.has(Self.new), "\(what)")
            await store.close()
        }
    }

    @Test("Durations of any length convert to milliseconds")
    func durations() {
        let attoseconds: Int64 = 999_999_999_999_999_999
        #expect(Duration(secondsComponent: 9_223_372_036_854_775, attosecondsComponent: attoseconds).milliseconds == .max)
        #expect(Duration(secondsComponent: -9_223_372_036_854_775, attosecondsComponent: -attoseconds).milliseconds == .min)
        #expect(Duration(secondsComponent: .max, attosecondsComponent: 0).milliseconds == .max)
        #expect(Duration.milliseconds(1500).milliseconds == 1500)
    }
}
