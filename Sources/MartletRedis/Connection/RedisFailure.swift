internal import MartletCache

/// The errors for failures that the server reports.
enum RedisFailure {
    /// Returns the error for a server's error reply. It contains only the reply's first word, its kind, because the rest may repeat the
    /// command.
    static func error(_ words: String) -> CacheStoreError {
        // Out of memory within a script. Some servers prefix it with their own words.
        if words.contains("OOM command not allowed") { return CacheStoreError(.full, "the server is out of memory (OOM)") }
        if words.hasPrefix("ERR max number of clients") { return CacheStoreError(.unavailable, "the server has too many clients") }
        let kind = kind(words)
        switch kind {
        case "OOM": return CacheStoreError(.full, "the server is out of memory (OOM)")
        case "NOAUTH": return CacheStoreError(.unavailable, "the server requires a password (NOAUTH): set `password`")
        case "WRONGPASS": return CacheStoreError(.unavailable, "the server rejects the user or the password (WRONGPASS)")
        case "NOPERM": return CacheStoreError(.unavailable, "the server's user lacks a permission that the store needs (NOPERM)")
        case "LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN":
            return CacheStoreError(.unavailable, "the server is not ready (\(kind))")
        case "READONLY": return CacheStoreError(.unavailable, "the server is a read-only replica (READONLY): connect to the primary")
        case "MISCONF": return CacheStoreError(.unavailable, "the server rejects writes because it can't save its data (MISCONF)")
        default: return CacheStoreError(.failed, "the server has replied with an error (\(kind))")
        }
    }

    /// Returns the error for an error reply to the credentials or the choice of the database.
    static func greeting(_ words: String) -> CacheStoreError {
        let error = error(words)
        guard error.kind == .failed else { return error }
        return CacheStoreError(.unavailable, "the server rejects the user, the password or the database (\(kind(words)))")
    }

    private static func kind(_ words: String) -> String {
        let first = words.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
        return first.isEmpty || first.count > 32 ? "no kind" : String(first)
    }

    /// The error for a reply of an unexpected type.
    static var strangeAnswer: CacheStoreError { CacheStoreError(.failed, "the server's reply does not fit the command") }
}
