/// What a server answers, in the second version of its protocol (RESP2).
package enum RESPValue: Sendable, Hashable {
    /// A short text: `+OK`.
    case text(String)
    /// A failure: `-ERR what happened`.
    case error(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RESPValue])
    /// Nothing there: `$-1` or `*-1`.
    case null
}

/// What is not RESP2, or more than may come at once.
package enum RESPError: Error, Sendable, Hashable {
    case malformed(String)
    case tooLarge(String)
}
