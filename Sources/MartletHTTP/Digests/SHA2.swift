/// The SHA-2 digests (FIPS 180-4 §6) for checksums of files, code challenges, cache keys and query hashes.
///
/// Implemented here because FoundationEssentials has no digests. Comparing the results takes a time that depends on them: for secrets, use
/// `HMACDigest`.
package struct SHA2<Word: SHA2Word>: Sendable {
    private var state = Word.initial
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    static var blockBytes: Int { Word.bitWidth * 2 }

    /// Creates a digest of no bytes so far.
    package init() { pending.reserveCapacity(SHA2.blockBytes) }

    /// Returns the digest of the bytes.
    package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA2()
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds bytes to the digest.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isTaken: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isTaken == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// Adds bytes to the digest.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(SHA2.blockBytes - pending.count)
            pending += missing
            rest = rest.dropFirst(missing.count)
            guard pending.count == SHA2.blockBytes else { return }
            pending.withUnsafeBytes { SHA2.compress($0, into: &state) }
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= SHA2.blockBytes {
            SHA2.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(SHA2.blockBytes)), into: &state)
            rest = rest.dropFirst(SHA2.blockBytes)
        }
        pending += rest
    }

    /// Returns the digest of all added bytes.
    package consuming func finish() -> [UInt8] {
        let bits = count &* 8, lengthBytes = Word.bitWidth / 4
        let used = (pending.count + 1 + lengthBytes) % SHA2.blockBytes
        var padding = [UInt8](repeating: 0, count: 1 + (used == 0 ? 0 : SHA2.blockBytes - used) + lengthBytes - 8)
        padding[0] = 0x80
        withUnsafeBytes(of: bits.bigEndian) { padding += $0 }
        update(padding)
        var digest: [UInt8] = []
        digest.reserveCapacity(state.count * Word.bitWidth / 8)
        for word in state { withUnsafeBytes(of: word.bigEndian) { digest += $0 } }
        return digest
    }

    /// Processes one block (FIPS 180-4 §6.2.2, §6.4.2).
    private static func compress(_ block: UnsafeRawBufferPointer, into state: inout [Word]) {
        let rounds = Word.constants.count
        Word.constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: Word.self, capacity: rounds) { words in
                for index in 0..<16 {
                    words[index] = Word(bigEndian: block.loadUnaligned(fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self))
                }
                for index in 16..<rounds {
                    words[index] =
                        words[index - 16] &+ Word.smallSigma0(words[index - 15]) &+ words[index - 7] &+ Word.smallSigma1(words[index - 2])
                }
                var (a, b, c, d) = (state[0], state[1], state[2], state[3])
                var (e, f, g, h) = (state[4], state[5], state[6], state[7])
                for index in 0..<rounds {
                    let first = h &+ Word.bigSigma1(e) &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
                    let second = Word.bigSigma0(a) &+ (a & b ^ a & c ^ b & c)
                    (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
                }
                state[0] &+= a
                state[1] &+= b
                state[2] &+= c
                state[3] &+= d
                state[4] &+= e
                state[5] &+= f
                state[6] &+= g
                state[7] &+= h
            }
        }
    }
}

/// SHA-256, which uses words of 32 bits.
package typealias SHA256 = SHA2<UInt32>

/// SHA-512, which uses words of 64 bits.
package typealias SHA512 = SHA2<UInt64>

/// The word of a SHA-2 algorithm, with the functions and constants that differ between them (FIPS 180-4 §4.1, §4.2, §5.3).
package protocol SHA2Word: FixedWidthInteger, UnsignedInteger, Sendable, BitwiseCopyable {
    static var initial: [Self] { get }
    static var constants: [Self] { get }
    static func bigSigma0(_ word: Self) -> Self
    static func bigSigma1(_ word: Self) -> Self
    static func smallSigma0(_ word: Self) -> Self
    static func smallSigma1(_ word: Self) -> Self
}

extension UInt32: SHA2Word {
    /// Returns the word rotated to the right. Not generic, because that is many times faster in debug builds.
    @inline(__always) private func turned(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }

    package static func bigSigma0(_ word: Self) -> Self { word.turned(2) ^ word.turned(13) ^ word.turned(22) }
    package static func bigSigma1(_ word: Self) -> Self { word.turned(6) ^ word.turned(11) ^ word.turned(25) }
    package static func smallSigma0(_ word: Self) -> Self { word.turned(7) ^ word.turned(18) ^ word >> 3 }
    package static func smallSigma1(_ word: Self) -> Self { word.turned(17) ^ word.turned(19) ^ word >> 10 }
}

extension UInt64: SHA2Word {
    /// Returns the word rotated to the right. Not generic, because that is many times faster in debug builds.
    @inline(__always) private func turned(_ count: UInt64) -> UInt64 { self &>> count | self &<< (64 &- count) }

    package static func bigSigma0(_ word: Self) -> Self { word.turned(28) ^ word.turned(34) ^ word.turned(39) }
    package static func bigSigma1(_ word: Self) -> Self { word.turned(14) ^ word.turned(18) ^ word.turned(41) }
    package static func smallSigma0(_ word: Self) -> Self { word.turned(1) ^ word.turned(8) ^ word >> 7 }
    package static func smallSigma1(_ word: Self) -> Self { word.turned(19) ^ word.turned(61) ^ word >> 6 }
}
