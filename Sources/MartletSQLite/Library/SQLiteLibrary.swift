internal import MartletCache
internal import MartletSystem

/// The functions of the system's SQLite, loaded at run time.
struct SQLiteLibrary: Sendable {
    typealias Ask = @Sendable @convention(c) (OpaquePointer?) -> Int32
    typealias Set = @Sendable @convention(c) (OpaquePointer?, Int32) -> Int32
    // The last parameter is a function or one of two numbers. Here it is always a number.
    typealias BindBytes = @Sendable @convention(c) (OpaquePointer?, Int32, UnsafeRawPointer?, Int32, Int) -> Int32

    let open:
        @Sendable @convention(c) (
            UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?, Int32, UnsafePointer<CChar>?
        ) -> Int32
    let close: Ask
    let message: @Sendable @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    let extendedCode: Ask
    let systemError: Ask
    let useExtendedCodes: Set
    let busyTimeout: Set
    let isInAutocommit: Ask
    let changes: Ask
    let lastRow: @Sendable @convention(c) (OpaquePointer?) -> Int64
    let prepare:
        @Sendable @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutablePointer<OpaquePointer?>?,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    let finalize: Ask
    let step: Ask
    let reset: Ask
    let clearBindings: Ask
    let bindNull: Set
    let bindNumber: @Sendable @convention(c) (OpaquePointer?, Int32, Int64) -> Int32
    let bindText: BindBytes
    let bindBlob: BindBytes
    let columnType: Set
    let columnNumber: @Sendable @convention(c) (OpaquePointer?, Int32) -> Int64
    let columnBlob: @Sendable @convention(c) (OpaquePointer?, Int32) -> UnsafeRawPointer?
    let columnCount: Set

    #if canImport(Darwin)
    static let names = ["/usr/lib/libsqlite3.dylib", "libsqlite3.dylib"]
    #else
    static let names = ["libsqlite3.so.0"]
    #endif

    private static let found = Locked<SQLiteLibrary?>(nil)

    /// Returns the library of this process. While it is missing, each call searches again, because it may be installed meanwhile.
    static func shared() throws(CacheStoreError) -> SQLiteLibrary {
        if let library = found.withLock({ $0 }) { return library }
        let library = try SQLiteLibrary(names: names, setting: "MARTLET_LIBSQLITE3")
        found.withLock { $0 = library }
        return library
    }

    /// Loads the first of the named libraries that can be used. `setting` is the environment variable that names another one.
    init(names: [String], setting: String? = nil) throws(CacheStoreError) {
        do throws(SystemLibrary.Unusable) {
            self = try SystemLibrary.first("SQLite", names: names, setting: setting) { library throws(SystemLibrary.Unusable) in
                try SQLiteLibrary(library)
            }
        } catch { throw CacheStoreError(.unavailable, "\(error): on Debian, install libsqlite3-0") }
    }

    private init(_ library: SystemLibrary) throws(SystemLibrary.Unusable) {
        func bind<Function>(_ name: String) throws(SystemLibrary.Unusable) -> Function { try library.function("sqlite3_" + name) }
        let version: @Sendable @convention(c) () -> Int32 = try bind("libversion_number")
        let isThreadsafe: @Sendable @convention(c) () -> Int32 = try bind("threadsafe")
        guard version() >= 3_024_000, isThreadsafe() != 0 else {
            throw SystemLibrary.Unusable("SQLite \(version()) is too old or not thread-safe: 3.24 or later is needed")
        }
        open = try bind("open_v2")
        close = try bind("close_v2")
        message = try bind("errmsg")
        extendedCode = try bind("extended_errcode")
        systemError = try bind("system_errno")
        useExtendedCodes = try bind("extended_result_codes")
        busyTimeout = try bind("busy_timeout")
        isInAutocommit = try bind("get_autocommit")
        changes = try bind("changes")
        lastRow = try bind("last_insert_rowid")
        prepare = try bind("prepare_v3")
        finalize = try bind("finalize")
        step = try bind("step")
        reset = try bind("reset")
        clearBindings = try bind("clear_bindings")
        bindNull = try bind("bind_null")
        bindNumber = try bind("bind_int64")
        bindText = try bind("bind_text")
        bindBlob = try bind("bind_blob")
        columnType = try bind("column_type")
        columnNumber = try bind("column_int64")
        columnBlob = try bind("column_blob")
        columnCount = try bind("column_bytes")
    }
}

// The constants of SQLite's C interface (sqlite3.h) that the store uses. SQLite promises never to change them.

/// A primary or extended result code.
enum SQLiteCode {
    static let ok: Int32 = 0
    static let error: Int32 = 1
    static let permission: Int32 = 3
    static let busy: Int32 = 5
    static let locked: Int32 = 6
    static let readOnly: Int32 = 8
    static let inputOutput: Int32 = 10
    static let corrupt: Int32 = 11
    static let full: Int32 = 13
    static let cannotOpen: Int32 = 14
    static let constraint: Int32 = 19
    static let mismatch: Int32 = 20
    static let authorization: Int32 = 23
    static let notADatabase: Int32 = 26
    static let row: Int32 = 100
    static let done: Int32 = 101
    /// Extended codes of ``inputOutput``: a file shorter than its pages, and a page with a wrong checksum.
    static let shortRead: Int32 = 522, wrongChecksum: Int32 = 8458

    /// Returns the primary code of an extended code.
    static func primary(_ code: Int32) -> Int32 { code & 0xFF }
}

/// The flags for opening a file.
enum SQLiteOpening {
    static let readWrite: Int32 = 0x2
    /// No mutex around each call.
    static let noMutex: Int32 = 0x8000
}

/// The types of a column's value.
enum SQLiteType {
    static let integer: Int32 = 1
    static let null: Int32 = 5
}

/// The options of a statement.
enum SQLiteStatement {
    /// The statement will be used many times.
    static let persistent: UInt32 = 1
    /// In place of a length: the text ends with a null byte.
    static let untilNUL: Int32 = -1
    /// In place of a destructor: SQLite copies the bytes.
    static let transient = -1
}
