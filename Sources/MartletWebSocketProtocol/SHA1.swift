/// The SHA-1 digest (FIPS 180-4 §6.1), which the opening handshake uses as a check that the server speaks WebSocket (RFC 6455 §1.3).
///
/// It is broken as a protection against forgery. Nothing else may use it.
enum SHA1 {
    /// Returns the digest of the bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let message = padded(bytes)
        message.withUnsafeBytes { blocks in
            for start in stride(from: 0, to: blocks.count, by: 64) {
                compress(UnsafeRawBufferPointer(rebasing: blocks[start..<start + 64]), into: &state)
            }
        }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// Returns the bytes with their padding (FIPS 180-4 §5.1.1).
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        withUnsafeBytes(of: (UInt64(bytes.count) * 8).bigEndian) { message += $0 }
        return message
    }

    /// Processes one block (FIPS 180-4 §6.1.2).
    private static func compress(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        var words = (0..<16).map { UInt32(bigEndian: block.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)) }
        for index in 16..<80 { words.append(turned(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)) }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            (a, b, c, d, e) = (turned(a, 5) &+ mixed &+ e &+ constant &+ word, a, turned(b, 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }

    /// Returns the word rotated to the left.
    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
