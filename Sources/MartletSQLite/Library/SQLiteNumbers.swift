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
