extension SHA2<UInt32> {
    /// The digest of a text's UTF-8. Not generic, so that other modules call what was made for this word: it is many times faster.
    package static func digest(ofText text: String) -> [UInt8] { digest(of: Array(text.utf8)) }
}
