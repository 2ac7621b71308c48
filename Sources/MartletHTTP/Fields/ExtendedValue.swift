/// The value of an extended parameter (RFC 8187 §3.2): `UTF-8'en'%e2%82%ac`.
enum ExtendedValue {
    /// Returns the decoded text, or nil for a malformed value, one that is invalid in its charset, and charsets other than UTF-8 and
    /// ISO-8859-1.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let value = Array(parts[2].utf8)
        guard PercentEncoding.isWellFormed(value[...]), !value.contains(UInt8(ascii: "'")), !value.contains(UInt8(ascii: "*")) else {
            return nil
        }
        let bytes = PercentEncoding.unescape(value[...])
        if parts[0].equalsIgnoringCase("UTF-8") { return String(validUTF8: bytes) }
        return parts[0].equalsIgnoringCase("ISO-8859-1") ? String(latin1: bytes) : nil
    }
}
