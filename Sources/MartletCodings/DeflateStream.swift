internal import CMartletCodings
package import MartletEssentials

/// A stream of messages in DEFLATE blocks without a header (RFC 1951), as permessage-deflate defines it (RFC 7692 §7.2).
///
/// Each message can refer to earlier ones of the stream. It is one direction of a connection, and used by one task at a time.
package final class DeflateStream {
    /// A defect of the compressed data, or of the memory.
    package enum Fault: Error, Hashable {
        case broken
        case outOfMemory
        /// The message has more bytes than the limit.
        case tooLarge
    }

    /// Whether zlib is installed.
    package static let isAvailable = ContentCoding.available.contains(.gzip) && cdeflate_is_available()

    /// The end of a flushed block, which is not sent (RFC 7692 §7.2.1).
    private static let flushEnd: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let stream: OpaquePointer

    /// Creates a stream that compresses with a window of 2^9 to 2^15 bytes.
    package init(compressingWith windowBits: Int) throws(Fault) {
        guard DeflateStream.isAvailable, let stream = cdeflate_open_compressor(Int32(windowBits)) else { throw .outOfMemory }
        self.stream = stream
    }

    /// Creates a stream that expands data which was compressed with a window of 2^8 to 2^15 bytes.
    package init(expandingWith windowBits: Int) throws(Fault) {
        // zlib has no window of 2^8 bytes here either in some versions; a larger one accepts the same data.
        guard DeflateStream.isAvailable, let stream = cdeflate_open_expander(Int32(max(9, windowBits))) else { throw .outOfMemory }
        self.stream = stream
    }

    deinit { cdeflate_close(stream) }

    /// Appends a message that is not empty in its compressed form (RFC 7692 §7.2.1).
    package func compress(_ message: UnsafeRawBufferPointer, into output: inout Data) throws(Fault) {
        try pass(message, into: &output, limit: .max, step: cdeflate_compress)
        output.removeLast(min(output.count, DeflateStream.flushEnd.count))
    }

    /// Appends what a part of a compressed message expands to (RFC 7692 §7.2.2). `output` never has more than `limit` bytes. A fault is
    /// thrown after everything before it was appended.
    package func expand(_ part: UnsafeRawBufferPointer, into output: inout Data, limit: Int) throws(Fault) {
        try pass(part, into: &output, limit: limit, step: cdeflate_expand)
    }

    /// Appends what the end of a compressed message expands to.
    package func finishExpanding(into output: inout Data, limit: Int) throws(Fault) {
        try withUnsafeBytesOfFlushEnd { bytes throws(Fault) in try expand(bytes, into: &output, limit: limit) }
    }

    private func withUnsafeBytesOfFlushEnd(_ body: (UnsafeRawBufferPointer) throws(Fault) -> Void) throws(Fault) {
        let result = DeflateStream.flushEnd.withUnsafeBytes { bytes -> Result<Void, Fault> in
            do throws(Fault) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        try result.get()
    }

    private typealias Step = (
        OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?
    ) -> Bool

    /// Passes all input through the stream, until a step leaves room in its output.
    private func pass(
        _ input: UnsafeRawBufferPointer, into output: inout Data, limit: Int, step: Step
    ) throws(Fault) {
        let fault = withUnsafeTemporaryAllocation(byteCount: DeflateStream.roomBytes, alignment: 1) { room -> Fault? in
            var from = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var left = input.count
            while true {
                var into = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var space = room.count
                let isValid = step(stream, &from, &left, &into, &space)
                let made = room.count - space, allowed = limit - output.count
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<min(made, allowed)]))
                guard made <= allowed else { return .tooLarge }
                guard isValid else { return .broken }
                if space > 0, left == 0 || made == 0 { return left == 0 ? nil : .broken }
            }
        }
        if let fault { throw fault }
    }

    /// The size in bytes of the pieces in which data passes through zlib.
    private static let roomBytes = 4096
}
