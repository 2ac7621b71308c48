internal import MartletEssentials

/// A member name to look for in a document.
struct StreamedName: Sendable {
    private let utf8: [UInt8]

    init(_ name: String) { utf8 = Array(name.utf8) }

    /// The greatest number of bytes that a string equal to the name can have in a document, quotation marks included.
    ///
    /// An escape takes six bytes for each byte of UTF-8 at most.
    var maxStringBytes: Int { utf8.count * 6 + 2 }

    /// Whether a string of a document is equal to the name after its escapes are decoded.
    ///
    /// Both are compared byte by byte in UTF-8, without Unicode normalization.
    /// - Parameter string: A valid JSON string with its quotation marks.
    func matches(_ string: Data) -> Bool {
        string.withUnsafeBytes { bytes in
            let content = bytes.dropFirst().dropLast()
            guard content.contains(UInt8(ascii: "\\")) else { return content.elementsEqual(utf8) }
            return JSONIndex.unescaped(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[content.indices])).utf8.elementsEqual(
                utf8)
        }
    }
}
