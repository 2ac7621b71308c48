internal import MartletCache

/// Failures that a server names.
enum RedisFailure {
    /// What a server's error means. Of its words only the first, which names the kind, is told: the others may repeat what was sent.
    static func error(_ words: String) -> CacheStoreError {
        // Out of memory within a script: some servers put it behind their own words.
        if words.contains("OOM command not allowed") { return CacheStoreError(.full, "the server has no memory left (OOM)") }
        if words.hasPrefix("ERR max number of clients") { return CacheStoreError(.unavailable, "the server has too many clients") }
        let kind = kind(words)
        switch kind {
        case "OOM": return CacheStoreError(.full, "the server has no memory left (OOM)")
        case "NOAUTH": return CacheStoreError(.unavailable, "the server asks for a password (NOAUTH)")
        case "WRONGPASS": return CacheStoreError(.unavailable, "the server refuses the user or the password (WRONGPASS)")
        case "NOPERM": return CacheStoreError(.unavailable, "the server's user may not do what the store needs (NOPERM)")
        case "LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN":
            return CacheStoreError(.unavailable, "the server is not ready (\(kind))")
        case "READONLY": return CacheStoreError(.unavailable, "the server is a replica, which can't be written to (READONLY)")
        case "MISCONF": return CacheStoreError(.unavailable, "the server does not write, because it can't save (MISCONF)")
        default: return CacheStoreError(.failed, "the server answers with an error (\(kind))")
        }
    }

    /// What it means that a server answers so to who we are and which database we want.
    static func greeting(_ words: String) -> CacheStoreError {
        let error = error(words)
        guard error.kind == .failed else { return error }
        return CacheStoreError(.unavailable, "the server refuses the user, the password or the database (\(kind(words)))")
    }

    private static func kind(_ words: String) -> String {
        let first = words.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
        return first.isEmpty || first.count > 32 ? "no kind" : String(first)
    }

    /// What is not an answer to what was asked.
    static var strangeAnswer: CacheStoreError { CacheStoreError(.failed, "the server has answered something else than was asked") }
}
