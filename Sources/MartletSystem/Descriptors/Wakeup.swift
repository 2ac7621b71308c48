#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Two connected descriptors with which other threads interrupt a `poll`.
package final class Wakeup: Sendable {
    /// What a `poll` looks at besides.
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws(SystemFailure) {
        guard let ends = NonBlockingDescriptor.pair() else { throw SystemFailure(what: "no sockets for waking a thread", code: errno) }
        (readEnd, writeEnd) = ends
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }

    /// Ends the `poll` that is under way, or the next one.
    package func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Forgets the signals so far.
    package func clear() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
