public import MartletEssentials

/// What a file must be: a digest of its bytes.
///
/// ```swift
/// .sha256("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct Checksum: Sendable, Hashable {
    /// How the digest is made.
    @nonexhaustive public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// SHA-256 (FIPS 180-4).
        case sha256 = "sha-256"
        /// SHA-512 (FIPS 180-4).
        case sha512 = "sha-512"

        var byteCount: Int { self == .sha256 ? 32 : 64 }
    }

    /// How the digest is made.
    public let algorithm: Algorithm
    /// The digest; nil when the text it was made of is none, which fails the download before anything is sent.
    public let digest: Data?

    /// A digest as bytes.
    public init(_ algorithm: Algorithm, _ digest: Data) {
        self.algorithm = algorithm
        self.digest = digest.count == algorithm.byteCount ? digest : nil
    }

    /// SHA-256, as 64 hexadecimal digits.
    public static func sha256(_ hexadecimal: String) -> Self { Self(.sha256, Data(Hex.bytes(hexadecimal) ?? [])) }

    /// SHA-512, as 128 hexadecimal digits.
    public static func sha512(_ hexadecimal: String) -> Self { Self(.sha512, Data(Hex.bytes(hexadecimal) ?? [])) }
}
