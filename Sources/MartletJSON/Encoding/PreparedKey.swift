/// The bytes of an object's key in the output: converted, escaped, quoted and followed by the colon.
struct PreparedKey {
    /// The bytes, padded to a multiple of 16, or nil if the key was written at most once.
    private(set) var bytes: UnsafeMutableRawPointer?
    private(set) var length = 0
    /// The number of bytes between the quotes.
    private(set) var keyLength: Int32 = 0
    /// See `JSONMember.prefix`.
    private(set) var prefix: UInt64 = 0
    private(set) var isEscaped = false
    var isWritten = false

    init() {}

    /// Writes the key to `output`, which is empty before and after.
    init(_ text: String, using output: inout JSONOutput) {
        defer { output.count = 0 }
        isWritten = true
        var text = text
        (prefix, isEscaped) = text.withUTF8 { (JSONOutput.keyPrefix($0), output.putQuoted($0)) }
        keyLength = Int32(clamping: output.count - 2)
        output.putColon()
        length = output.count
        let padded = (output.count + 15) & ~15
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: padded, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: padded)
        bytes.copyMemory(from: output.base, byteCount: output.count)
        self.bytes = bytes
    }
}
