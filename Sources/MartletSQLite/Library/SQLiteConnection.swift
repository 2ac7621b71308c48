internal import MartletCache
internal import MartletEssentials

/// A value in a row or for a statement.
enum SQLiteValue: Sendable {
    case null
    case number(Int64)
    case text(String)
    case blob(Data)
}

/// One connection to a file, with its prepared statements.
final class SQLiteConnection: @unchecked Sendable {
    // Proof: one thread at a time uses a connection. The writing lane opens it and hands it over under the lock of the store's state; then
    // its own lane, which runs one piece of work at a time, uses it until it is closed. The store's deinit closes or forgets it when no
    // work is left on either lane.
    private var database: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    private let library: SQLiteLibrary
    private let busyTimeout: Int32

    init(_ library: SQLiteLibrary, path: String, busyTimeout: Duration) throws(CacheStoreError) {
        self.library = library
        self.busyTimeout = Int32(clamping: busyTimeout.milliseconds)
        // The file must exist. Only one lane uses the connection, so it needs no mutex.
        guard library.open(path, &database, SQLiteOpening.readWrite | SQLiteOpening.noMutex, nil) == SQLiteCode.ok else {
            let error = failure().error("the cache's file can't be opened")
            close()
            throw error
        }
        _ = library.useExtendedCodes(database, 1)
        _ = library.busyTimeout(database, self.busyTimeout)
    }

    deinit { close() }

    var isClosed: Bool { database == nil }

    func close() {
        for statement in statements.values { _ = library.finalize(statement) }
        statements = [:]
        if let database { _ = library.close(database) }
        database = nil
    }

    /// Abandons the connection without closing it.
    func forget() {
        statements = [:]
        database = nil
    }

    private func failure() -> SQLiteFailure {
        let message = library.message(database).map { String(cString: $0) } ?? "unknown error"
        return SQLiteFailure(code: library.extendedCode(database), systemCode: library.systemError(database), message: message)
    }

    /// Runs `body` with a busy timeout of zero, so that it fails where it would wait for another process.
    func withoutWaiting<Value>(_ body: () throws(CacheStoreError) -> Value) throws(CacheStoreError) -> Value {
        guard database != nil else { throw SQLiteConnection.closed }
        _ = library.busyTimeout(database, 0)
        defer { _ = library.busyTimeout(database, busyTimeout) }
        return try body()
    }

    private static var closed: CacheStoreError { CacheStoreError(.failed, "the cache's file was closed during the operation") }

    // MARK: Statements

    /// Runs a statement without result rows. Returns the number of changed rows.
    @discardableResult
    func execute(_ sql: String, _ values: SQLiteValue...) throws(CacheStoreError) -> Int { try execute(sql, values) }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLiteValue]) throws(CacheStoreError) -> Int {
        _ = try rows(sql, values) { (_) throws(CacheStoreError) in }
        return Int(library.changes(database))
    }

    /// Returns the first column of a statement's first row, or nil for no row and for NULL.
    func number(_ sql: String, _ values: SQLiteValue...) throws(CacheStoreError) -> Int64? {
        let found = try rows(sql, values) { (row) throws(CacheStoreError) -> Int64? in row.isNull(0) ? nil : try row.number(0) }
        return found.first ?? nil
    }

    /// Returns the rows of a statement, each converted by `read`.
    func rows<Value>(
        _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws(CacheStoreError) -> Value
    ) throws(CacheStoreError) -> [Value] {
        let statement = try prepared(sql)
        defer {
            _ = library.reset(statement)
            _ = library.clearBindings(statement)
        }
        for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1), of: statement) }
        var found: [Value] = []
        while true {
            switch library.step(statement) {
            case SQLiteCode.row: found.append(try read(SQLiteRow(library: library, statement: statement)))
            case SQLiteCode.done: return found
            default: throw failure().error("an SQLite statement failed")
            }
        }
    }

    var lastRow: Int64 { library.lastRow(database) }

    private func prepared(_ sql: String) throws(CacheStoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        guard database != nil else { throw SQLiteConnection.closed }
        var statement: OpaquePointer?
        let code = library.prepare(database, sql, SQLiteStatement.untilNUL, SQLiteStatement.persistent, &statement, nil)
        guard code == SQLiteCode.ok, let statement else {
            var failure = failure()
            failure.isOfPreparing = true
            throw failure.error("an SQLite statement can't be prepared")
        }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLiteValue, to index: Int32, of statement: OpaquePointer) throws(CacheStoreError) {
        let transient = SQLiteStatement.transient
        let code =
            switch value {
            case .null: library.bindNull(statement, index)
            case .number(let number): library.bindNumber(statement, index, number)
            case .text(let text): text.withCString { library.bindText(statement, index, $0, Int32(clamping: text.utf8.count), transient) }
            case .blob(let data):
                data.withUnsafeBytes { bytes in
                    // SQLite takes a null pointer for NULL.
                    withUnsafePointer(to: 0) {
                        library.bindBlob(statement, index, bytes.baseAddress ?? UnsafeRawPointer($0), Int32(bytes.count), transient)
                    }
                }
            }
        guard code == SQLiteCode.ok else { throw failure().error("a value can't be bound to an SQLite statement") }
    }

    // MARK: Transactions

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    func transaction<Value>(_ body: () throws(CacheStoreError) -> Value) throws(CacheStoreError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // After some failures SQLite has already rolled back.
            if library.isInAutocommit(database) == 0 { _ = try? execute("ROLLBACK") }
            throw error
        }
    }
}

/// The current row of a statement.
struct SQLiteRow {
    let library: SQLiteLibrary
    let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { library.columnType(statement, column) == SQLiteType.null }

    /// Returns an integer column. SQLite stores any type in any column, and an overflow in a trigger produces a floating-point number.
    ///
    /// - Throws: `.corrupt` for a value of another type.
    func number(_ column: Int32) throws(CacheStoreError) -> Int64 {
        guard library.columnType(statement, column) == SQLiteType.integer else { throw .damaged("a stored number") }
        return library.columnNumber(statement, column)
    }

    func data(_ column: Int32) -> Data {
        guard let bytes = library.columnBlob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(library.columnCount(statement, column)))
    }

    func text(_ column: Int32) -> String { String(decoding: data(column), as: UTF8.self) }
}

extension Duration {
    /// The duration in whole milliseconds. Limited to the range of `Int64`.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isTooLong || isOver ? seconds < 0 ? .min : .max : sum
    }
}
