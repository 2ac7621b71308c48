/// A socket pair with which other threads interrupt a `poll`.
///
/// A forked child shares the descriptors with its parent and must not signal.
package final class Wakeup: Sendable {
    /// The descriptor that the thread polls for reading.
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws(SystemFailure) {
        guard let ends = NonBlockingDescriptor.pair() else { throw SystemFailure(what: "the sockets for wake-ups failed", code: errno) }
        (readEnd, writeEnd) = ends
    }

    deinit {
        _ = close(readEnd)
        _ = close(writeEnd)
    }

    /// Ends the current `poll`, or the next one.
    package func signal() {
        var byte: UInt8 = 1
        // The write fails only if the socket is full, and the other end is readable then.
        _ = write(writeEnd, &byte, 1)
    }

    /// Clears the signals so far. Signals that arrive meanwhile may remain, and end the next `poll`.
    package func clear() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(readEnd, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}
