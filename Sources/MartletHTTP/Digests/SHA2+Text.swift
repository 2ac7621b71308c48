extension SHA2<UInt32> {
    /// Returns the digest of a text's UTF-8. Not generic, so that other modules call specialised code, which is many times faster.
    package static func digest(ofText text: String) -> [UInt8] { digest(of: Array(text.utf8)) }
}
