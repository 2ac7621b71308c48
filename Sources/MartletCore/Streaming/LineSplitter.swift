#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Cuts bytes as they come into the pieces between separators.
///
/// It looks at each byte once, however small the chunks are, and keeps no more than one piece that has not ended.
package struct LineSplitter: Sendable {
    /// What ends a piece.
    package enum Separator: Sendable {
        /// A line feed, with the carriage return before it if there is one.
        case line
        /// The record separator that begins each text of a JSON text sequence (RFC 7464 §2.2).
        case record

        fileprivate var byte: UInt8 { self == .line ? 0x0A : 0x1E }
    }

    private let separator: Separator
    private let limit: Int
    private var pending = Data()
    private var ready: [Data] = []
    private var next = 0

    /// - Parameters:
    ///   - separator: what ends a piece.
    ///   - limit: how many bytes a piece may have.
    package init(_ separator: Separator, limit: Int) {
        self.separator = separator
        self.limit = limit
    }

    /// Takes bytes in. Throws `.responseTooLarge` when a piece passes the limit; the pieces before it can still be taken.
    package mutating func feed(_ chunk: Data) throws(HTTPError) {
        var start = chunk.startIndex
        while let end = chunk[start...].firstIndex(of: separator.byte) {
            try append(chunk[start..<end])
            ready.append(trimmed(pending))
            pending = Data()
            start = end + 1
        }
        try append(chunk[start...])
    }

    /// The next piece that has ended; nil when none has.
    package mutating func take() -> Data? {
        guard next < ready.count else {
            ready.removeAll(keepingCapacity: true)
            next = 0
            return nil
        }
        defer { next += 1 }
        return ready[next]
    }

    /// The piece at the end that no separator ended; nil when there is none.
    package mutating func finish() -> Data? {
        guard !pending.isEmpty else { return nil }
        defer { pending = Data() }
        return trimmed(pending)
    }

    private mutating func append(_ bytes: Data) throws(HTTPError) {
        guard pending.count + bytes.count <= limit else {
            pending = Data()
            throw .responseTooLarge(SizeLimitFailure(.line, limit: limit))
        }
        pending.append(bytes)
    }

    private func trimmed(_ line: Data) -> Data { separator == .line && line.last == 0x0D ? line.dropLast() : line }
}
