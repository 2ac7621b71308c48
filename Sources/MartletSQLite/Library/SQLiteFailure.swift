internal import MartletCache
internal import MartletSystem

/// An error of SQLite.
struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    /// The system's `errno`, or 0.
    let systemCode: Int32
    let message: String
    /// Whether one of the store's statements could not be prepared, because the file's tables do not have the expected columns.
    var isOfPreparing = false

    var description: String {
        "SQLite error \(code): \(message)" + (systemCode == 0 ? "" : " (\(SystemFailure.words(systemCode)))")
    }

    /// The kind of the error, which determines how the store handles it.
    var kind: CacheStoreError.Kind {
        let isWithoutRoom = systemCode == ENOSPC || systemCode == EDQUOT
        // These input/output errors mean that the file is corrupt.
        if code == SQLiteCode.shortRead || code == SQLiteCode.wrongChecksum { return .corrupt }
        switch SQLiteCode.primary(code) {
        case SQLiteCode.error where isOfPreparing: return .corrupt
        case SQLiteCode.corrupt, SQLiteCode.constraint, SQLiteCode.mismatch, SQLiteCode.notADatabase: return .corrupt
        case SQLiteCode.busy, SQLiteCode.locked: return .timeout
        case SQLiteCode.full: return .full
        case SQLiteCode.inputOutput where isWithoutRoom: return .full
        case SQLiteCode.permission, SQLiteCode.readOnly, SQLiteCode.cannotOpen, SQLiteCode.authorization:
            return isWithoutRoom ? .full : .unavailable
        default: return .failed
        }
    }

    /// The error for the store's users.
    func error(_ what: String) -> CacheStoreError { CacheStoreError(kind, "\(what): \(self)", underlying: self) }
}

extension CacheStoreError {
    /// The error for damaged data.
    static func damaged(_ what: String) -> CacheStoreError { CacheStoreError(.corrupt, "\(what) is damaged") }

    static var cancelled: CacheStoreError { CacheStoreError(.cancelled, "the task was cancelled") }
}
