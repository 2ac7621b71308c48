#if !canImport(CryptoKit)
internal import MartletOpenSSL
#endif

/// The SHA-2 digests (FIPS 180-4 §6) for checksums of files, code challenges, cache keys and query hashes.
///
/// The system's library computes large ones: CryptoKit, or OpenSSL's libcrypto where it is installed. Small ones, and those without such a
/// library, are computed here, because FoundationEssentials has no digests. Comparing the results takes a time that depends on them: for
/// secrets, use `HMACDigest`.
package struct SHA2<Word: SHA2Word>: Sendable {
    /// The digest that the system's library computes, in place of the rest.
    private var system: SystemDigest?
    private var state = Word.initial
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    static var blockBytes: Int { Word.bitWidth * 2 }

    /// Creates a digest of no bytes so far.
    ///
    /// - Parameter byteCount: The number of bytes that will be added, if it is known. It decides who computes the digest, not the result.
    package init(expecting byteCount: Int = .max) {
        self.init(system: SHA2.leavesToSystem(byteCount) ? SystemDigest(Word.bitWidth == 32 ? .sha256 : .sha512) : nil)
    }

    /// Creates a digest that a system's digest computes, or this package without one.
    init(system: SystemDigest?) {
        self.system = system
        // The rest of the bytes and the padding have at most two blocks.
        if system == nil { pending.reserveCapacity(2 * SHA2.blockBytes) }
    }

    /// Whether the system's library computes digests of so many bytes.
    ///
    /// Loading and preparing libcrypto takes 3 ms in a process that has not loaded it, as long as a megabyte here. Below a kilobyte (3 µs
    /// in a release build) a digest never causes that.
    static func leavesToSystem(_ byteCount: Int) -> Bool { byteCount >= 1024 }

    /// Returns the digest of the bytes.
    package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA2(expecting: bytes.underestimatedCount)
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
        guard system == nil else {
            system?.update(bytes)
            return
        }
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
        if let system = system.take() { return system.finish() }
        let bits = count &* 8, lengthBytes = Word.bitWidth / 4
        let used = (pending.count + 1 + lengthBytes) % SHA2.blockBytes
        pending.append(0x80)
        pending += zeros.prefix((used == 0 ? 0 : SHA2.blockBytes - used) + lengthBytes - 8)
        withUnsafeBytes(of: bits.bigEndian) { pending += $0 }
        pending.withUnsafeBytes { blocks in
            SHA2.compress(UnsafeRawBufferPointer(rebasing: blocks.prefix(SHA2.blockBytes)), into: &state)
            if blocks.count > SHA2.blockBytes {
                SHA2.compress(UnsafeRawBufferPointer(rebasing: blocks.dropFirst(SHA2.blockBytes)), into: &state)
            }
        }
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

/// The longest padding.
private let zeros = [UInt8](repeating: 0, count: 2 * SHA512.blockBytes)

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

    /// The roots of the first primes (FIPS 180-4 §5.3.3).
    package static let initial = UInt64.initial.map { UInt32($0 >> 32) }

    /// FIPS 180-4 §4.2.2.
    package static let constants = UInt64.constants.prefix(64).map { UInt32($0 >> 32) }
}

extension UInt64: SHA2Word {
    /// Returns the word rotated to the right. Not generic, because that is many times faster in debug builds.
    @inline(__always) private func turned(_ count: UInt64) -> UInt64 { self &>> count | self &<< (64 &- count) }

    package static func bigSigma0(_ word: Self) -> Self { word.turned(28) ^ word.turned(34) ^ word.turned(39) }
    package static func bigSigma1(_ word: Self) -> Self { word.turned(14) ^ word.turned(18) ^ word.turned(41) }
    package static func smallSigma0(_ word: Self) -> Self { word.turned(1) ^ word.turned(8) ^ word >> 7 }
    package static func smallSigma1(_ word: Self) -> Self { word.turned(19) ^ word.turned(61) ^ word >> 6 }

    /// The roots of the first primes (FIPS 180-4 §5.3.5).
    package static let initial: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]

    /// FIPS 180-4 §4.2.3.
    package static let constants: [UInt64] = [
        0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
        0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
        0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
        0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
        0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
        0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
        0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
        0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
        0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
        0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
        0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
        0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
        0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
        0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
        0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
        0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
        0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
        0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
        0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
        0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
    ]
}

extension SHA2<UInt32> {
    /// Returns the digest of a text's UTF-8. Not generic, so that other modules call specialised code, which is many times faster.
    package static func digest(ofText text: String) -> [UInt8] { digest(of: Array(text.utf8)) }
}
