public import MartletEssentials

/// A keyed digest of data (HMAC, RFC 2104), for signing requests and checking signatures such as those of webhooks.
///
/// ```swift
/// let text = "\(request.method.rawValue)\n\(request.target)\n\(date)"
/// request.headers["X-Signature"] = HMACDigest(.sha256, of: Data(text.utf8), key: key).hexadecimal
///
/// guard HMACDigest(.sha256, of: data, key: key).isEqual(to: signature) else { throw InvalidSignature() }
/// ```
///
/// Comparing two digests takes a time that depends only on their lengths, so that it reveals nothing about the expected digest.
public struct HMACDigest: Sendable {
    /// The algorithm of the digest.
    public let algorithm: ContentDigest.Algorithm
    /// The bytes of the digest: 32 for SHA-256, 64 for SHA-512.
    public let bytes: Data

    /// Computes the keyed digest of data in memory. A key may have any length; RFC 2104 §3 recommends at least that of the digest.
    public init(_ algorithm: ContentDigest.Algorithm, of data: Data, key: Data) {
        self.algorithm = algorithm
        switch algorithm {
        case .sha256: bytes = Data(SHA256.hmac(of: data, key: key))
        case .sha512: bytes = Data(SHA512.hmac(of: data, key: key))
        }
    }

    /// The digest in hexadecimal, in lower case.
    public var hexadecimal: String { Hex.text(bytes) }

    /// Returns whether received bytes equal this digest, in a time that reveals nothing about it. A different number of bytes does not.
    public func isEqual(to received: Data) -> Bool {
        guard received.count == bytes.count else { return false }
        return zip(bytes, received).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns whether received hexadecimal digits equal this digest, whatever their case, in a time that reveals nothing about it.
    /// Malformed text does not.
    public func isEqual(to hexadecimal: String) -> Bool { Hex.bytes(hexadecimal).map { isEqual(to: Data($0)) } ?? false }
}

extension HMACDigest: Equatable {
    /// Whether two digests have the same algorithm and bytes.
    public static func == (left: Self, right: Self) -> Bool { left.algorithm == right.algorithm && left.isEqual(to: right.bytes) }
}

extension SHA2 {
    /// Returns the keyed digest of the bytes (RFC 2104 §2).
    fileprivate static func hmac(of bytes: Data, key: Data) -> [UInt8] {
        var block = key.count > blockBytes ? digest(of: key) : Array(key)
        block += [UInt8](repeating: 0, count: blockBytes - block.count)
        var inner = SHA2(expecting: blockBytes + bytes.count), outer = SHA2(expecting: 0)
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(bytes)
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.finish())
        return outer.finish()
    }
}
