package import MartletEssentials
internal import MartletSystem

/// Cuts bytes as they come into the pieces between separators, one piece at a time.
///
/// It looks at each byte once, however small the chunks are, and keeps no more than the chunk at hand and one piece that has not ended.
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
    /// What has not been looked at.
    private var rest = Data()
    /// The beginning of the piece that has not ended.
    private var pending = Data()

    /// - Parameters:
    ///   - separator: what ends a piece.
    ///   - limit: how many bytes a piece may have.
    package init(_ separator: Separator, limit: Int) {
        self.separator = separator
        self.limit = limit
    }

    /// Takes bytes in. The pieces that they complete are given by ``next()``.
    package mutating func push(_ chunk: Data) { if rest.isEmpty { rest = chunk } else { rest.append(chunk) } }

    /// The next piece that has ended; nil when more bytes are needed.
    ///
    /// Throws `.responseTooLarge` when a piece passes the limit. What was behind it is let go of.
    package mutating func next() throws(HTTPError) -> Data? {
        guard !rest.isEmpty else { return nil }
        let length = rest.withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress, let found = memchr(start, CInt(separator.byte), bytes.count) else { return nil }
            return UnsafeRawPointer(found) - start
        }
        let piece = rest.prefix(length ?? rest.count)
        guard pending.count + piece.count <= limit else {
            (rest, pending) = (Data(), Data())
            throw .responseTooLarge(SizeLimitFailure(.line, limit: limit))
        }
        pending.append(piece)
        guard let length else {
            rest = Data()
            return nil
        }
        rest = rest.dropFirst(length + 1)
        return taken()
    }

    /// The piece at the end that no separator ended; nil when there is none.
    package mutating func finish() -> Data? { pending.isEmpty ? nil : taken() }

    private mutating func taken() -> Data {
        defer { pending = Data() }
        return separator == .line && pending.last == 0x0D ? pending.dropLast() : pending
    }
}
