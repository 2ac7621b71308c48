#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension String {
    /// The text of bytes that are valid UTF-8; nil when they are not.
    ///
    /// `String(validating:as:)` does the same, from macOS 15 and iOS 18 on.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        var text = String(decoding: bytes, as: UTF8.self)
        // Whatever was not valid has become a replacement character, which has other bytes.
        let isSame = text.withUTF8 { written in
            bytes.withContiguousStorageIfAvailable { $0.holdsSame(as: written) } ?? written.elementsEqual(bytes)
        }
        guard isSame else { return nil }
        self = text
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes equal `other`, compared with `memcmp`.
    fileprivate func holdsSame(as other: Self) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}
