extension String {
    /// The text of bytes that are valid UTF-8; nil when they are not.
    ///
    /// `String(validating:as:)` does the same, from macOS 15 and iOS 18 on.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Whatever was not valid has become a replacement character, which has other bytes.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
