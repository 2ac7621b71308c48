package import MartletEssentials

/// The bytes of a body that wait for their reader, and the memory in which they wait.
package protocol PendingBytes: Sendable {
    var count: Int { get }

    /// Announces about how many bytes will be appended before they are taken.
    mutating func announce(_ count: Int)

    mutating func append(_ bytes: UnsafeRawBufferPointer)

    mutating func append(_ bytes: Data)

    /// Removes and returns all bytes.
    mutating func take() -> Data
}

extension PendingBytes {
    var isEmpty: Bool { count == 0 }
}

/// Waiting bytes in the memory of a `Data`.
struct PlainBytes: PendingBytes {
    private var bytes = Data()

    init() {}

    package var count: Int { bytes.count }

    package mutating func announce(_ count: Int) { bytes.reserveCapacity(count) }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }

    /// Keeps the given bytes without copying them if no others wait.
    package mutating func append(_ bytes: Data) {
        if self.bytes.isEmpty { self.bytes = bytes } else { self.bytes.append(bytes) }
    }

    package mutating func take() -> Data { exchange(&bytes, with: Data()) }
}
