// Stands in for Apple's CryptoKit: the few declarations that are used, with the types they have there. Never linked, never run.

public import Foundation

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct SHA256 {
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}
