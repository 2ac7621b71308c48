#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Standard error, without buffers, so that a crash loses no entry that was begun and no line is torn by another.
enum StandardError {
    private static let entries = OrderedWriter { writeAll($0, to: 2) }

    static func write(_ text: String) { entries.write(text) }

    /// Writes all bytes to a descriptor. A log that cannot be written does not fail the call.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in systemWrite(descriptor, bytes.baseAddress, bytes.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Darwin.write(descriptor, bytes, count)
        #endif
    }
}

/// Writes texts in the order in which they were given, one at a time, and holds no lock while it writes.
///
/// The first caller writes, and takes along what other callers add meanwhile: they return at once. After ``maxRounds`` a thread of its own
/// goes on, so that no call writes for others without end.
final class OrderedWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// The number of texts dropped since the last that fitted.
        var dropped = 0
        var isWriting = false

        /// Says in place of dropped texts how many there were.
        mutating func noteDropped() {
            guard dropped > 0 else { return }
            waiting += "WARNING log entries dropped: \(dropped), because standard error did not take them in time\n".utf8
            dropped = 0
        }
    }

    private let state = Locked(State())
    private let limit: Int
    private let output: @Sendable ([UInt8]) -> Void

    /// The number of batches that one caller writes.
    private static let maxRounds = 16

    /// - Parameters:
    ///   - limit: the number of bytes that may wait while another caller writes. A longer text is accepted when nothing waits.
    ///   - output: writes bytes, and may block. It is never called twice at a time.
    init(limit: Int = 1_000_000, to output: @escaping @Sendable ([UInt8]) -> Void) {
        self.limit = limit
        self.output = output
    }

    func write(_ text: String) {
        let isFirst = state.withLock { state in
            guard state.waiting.isEmpty || state.waiting.count + text.utf8.count <= limit else {
                state.dropped += 1
                return false
            }
            state.noteDropped()
            state.waiting += text.utf8
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { writeWaiting(rounds: OrderedWriter.maxRounds) }
    }

    private func writeWaiting(rounds: Int) {
        var left = rounds
        while let bytes = next() {
            output(bytes)
            left -= 1
            guard left == 0 else { continue }
            do { return try BackgroundThread.start(name: "martlet.log") { self.writeWaiting(rounds: .max) } } catch { left = rounds }
        }
    }

    /// All that waits; nil when there is nothing, and then the next caller writes.
    private func next() -> [UInt8]? {
        state.withLock { state in
            state.noteDropped()
            let bytes = state.waiting
            state.waiting = []
            state.isWriting = !bytes.isEmpty
            return bytes.isEmpty ? nil : bytes
        }
    }
}
