import Foundation
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite("Schema", .timeLimit(.minutes(5)))
struct SchemaTests {
    private static let slow = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300000000)"

    @Test(
        "A file with a view or a trigger that no store created is set aside before it is read",
        arguments: [
            ["DROP TABLE totals", "CREATE VIEW totals AS \(slow) SELECT count(*) AS count, 0 AS bytes, 0 AS loose FROM c"],
            ["CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM chunks; END"],
            [
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET rootpage = 0, sql = 'CREATE VIEW totals(count, bytes, loose) AS \(slow) SELECT count(*), 0, 0 FROM c'"
                    + " WHERE name = 'totals'",
            ],
            [
                "PRAGMA writable_schema = ON",
                "INSERT INTO sqlite_master VALUES ('index', 'more', 'entries', 0, 'CREATE TRIGGER more AFTER INSERT ON entries"
                    + " BEGIN DELETE FROM chunks; END')",
            ],
            [
                "PRAGMA writable_schema = ON",
                "INSERT INTO sqlite_master VALUES ('table', 'more', 'more', 0, 'CREATE VIRTUAL TABLE more USING fts5(text)')",
            ],
            ["DROP TRIGGER bodies_gone", "CREATE TRIGGER bodies_gone AFTER DELETE ON bodies BEGIN DELETE FROM entries; END"],
        ])
    func altered(statements: [String]) async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try await store.put(sample)
        await store.close()
        let connection = try SQLiteConnection(try SQLiteLibrary.shared(), path: scratch.file.path, busyTimeout: .seconds(5))
        for statement in statements { try connection.execute(statement) }
        connection.close()
        let next = scratch.store()
        #expect(try await next.entries(for: sample.key).isEmpty)
        guard case .corruptFile? = scratch.events.first, scratch.events.count == 1 else {
            Issue.record("\(scratch.events)")
            return
        }
        try await next.put(sample)
        #expect(try await next.has(sample))
    }

    @Test("A store's file is opened again unchanged")
    func own() async throws {
        let scratch = Scratch(), store = scratch.store(), sample = Sample("one")
        try await store.put(sample)
        await store.close()
        #expect(try await scratch.store().has(sample))
        #expect(scratch.events == [])
    }
}
