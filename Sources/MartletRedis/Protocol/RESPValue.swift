/// A reply in the second version of the server's protocol (RESP2).
enum RESPValue: Sendable, Hashable {
    /// A simple string: `+OK`.
    case text(String)
    /// An error: `-ERR message`.
    case error(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RESPValue])
    /// Null: `$-1` or `*-1`.
    case null
}

/// The error for bytes that are not RESP2, or exceed a limit.
enum RESPError: Error, Sendable, Hashable {
    case malformed(String)
    case tooLarge(String)
}
