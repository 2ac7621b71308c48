#if canImport(CryptoKit)
internal import CryptoKit

/// A SHA-2 digest that CryptoKit computes.
struct SystemDigest: @unchecked Sendable {
    // Proof: CryptoKit's hashes are values, and a copy shares nothing that changes.
    private enum Hash {
        case sha256(CryptoKit.SHA256)
        case sha512(CryptoKit.SHA512)
    }

    enum Algorithm {
        case sha256, sha512
    }

    private var hash: Hash

    /// Creates a digest of no bytes so far.
    init?(_ algorithm: Algorithm) { hash = algorithm == .sha256 ? .sha256(.init()) : .sha512(.init()) }

    /// Adds bytes to the digest.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch hash {
        case .sha256(var hash):
            hash.update(bufferPointer: bytes)
            self.hash = .sha256(hash)
        case .sha512(var hash):
            hash.update(bufferPointer: bytes)
            self.hash = .sha512(hash)
        }
    }

    /// Returns the digest of all added bytes.
    consuming func finish() -> [UInt8] {
        switch hash {
        case .sha256(let hash): Array(hash.finalize())
        case .sha512(let hash): Array(hash.finalize())
        }
    }
}
#else
internal import MartletOpenSSL

/// A SHA-2 digest that the system's libcrypto computes, if it is installed.
typealias SystemDigest = OpenSSLDigest
#endif
