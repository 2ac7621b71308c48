internal import MartletCache
internal import MartletSystem

/// What SQLite says went wrong.
struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    /// The system's own code behind it, or 0.
    let systemCode: Int32
    let message: String
    /// Whether a statement of ours could not be prepared: the file's tables are not those they say they are.
    var isOfPreparing = false

    var description: String {
        "SQLite error \(code): \(message)" + (systemCode == 0 ? "" : " (\(SystemFailure.words(systemCode)))")
    }

    /// What kind of failure it is, by what can be done about it.
    var kind: CacheStoreError.Kind {
        let isWithoutRoom = systemCode == ENOSPC || systemCode == EDQUOT
        // Some input/output errors say that the file is not what it was.
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
    /// What was stored is not what was written.
    static func damaged(_ what: String) -> CacheStoreError { CacheStoreError(.corrupt, "\(what) is not what was written") }

    static var cancelled: CacheStoreError { CacheStoreError(.cancelled, "the task was cancelled") }
}
