/// Two connected descriptors with which other threads interrupt a `poll`.
///
/// A forked child shares the descriptors with its parent: it must not signal.
package final class Wakeup: Sendable {
    /// The descriptor that the thread polls for reading.
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
        // It fails only if the socket is full, and then it is readable.
        _ = write(writeEnd, &byte, 1)
    }

    /// Takes back the signals so far. Signals from other threads meanwhile may remain, and end the next `poll`.
    package func clear() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(readEnd, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}
