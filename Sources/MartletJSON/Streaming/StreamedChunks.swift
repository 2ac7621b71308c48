internal import MartletEssentials

/// A queue of chunks that have not been read.
struct StreamedChunks: Sendable {
    private var chunks: [Data] = []
    private var firstIndex = 0

    /// The number of bytes in the queue.
    private(set) var byteCount = 0

    /// Adds a chunk at the end. Empty chunks are ignored.
    mutating func append(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        byteCount += chunk.count
        chunks.append(chunk)
    }

    /// Removes and returns the first chunk. Constant time, amortised.
    mutating func popFirst() -> Data? {
        guard firstIndex < chunks.count else { return nil }
        let chunk = chunks[firstIndex]
        // Releases the bytes before the slot itself is removed.
        chunks[firstIndex] = Data()
        firstIndex += 1
        byteCount -= chunk.count
        if firstIndex == chunks.count {
            chunks.removeAll(keepingCapacity: firstIndex == 1)
            firstIndex = 0
        } else if firstIndex * 2 >= chunks.count {
            chunks.removeFirst(firstIndex)
            firstIndex = 0
        }
        return chunk
    }

    /// Removes all chunks.
    mutating func removeAll() { self = StreamedChunks() }
}

/// The bytes of one value or name, collected from the chunks that it spans.
struct StreamedCapture: Sendable {
    /// The offset of the first byte in the stream, or nil if nothing is being captured.
    private(set) var start: Int?
    /// The bytes from chunks before the current one.
    private var carried = Data()

    /// The number of bytes that are stored.
    var byteCount: Int { carried.count }

    /// Starts a capture at an offset of the stream.
    mutating func begin(at offset: Int) { start = offset }

    /// Stores the captured bytes of a chunk that ends before the capture does.
    ///
    /// Stores nothing if the capture has more than `limit` bytes by then. The caller must `cancel()` such a capture at its end.
    mutating func carry(_ chunk: Data, at chunkOffset: Int, limit: Int) {
        guard let start, chunkOffset + chunk.count - start <= limit else { return }
        carried.append(chunk.dropFirst(max(0, start - chunkOffset)))
    }

    /// Ends the capture and returns its bytes.
    ///
    /// Bytes within one chunk are returned as a slice of that chunk, without a copy.
    mutating func end(at offset: Int, in chunk: Data, at chunkOffset: Int) -> Data {
        guard let start else { return Data() }
        self.start = nil
        let upper = chunk.startIndex + (offset - chunkOffset)
        if start >= chunkOffset { return chunk[(chunk.startIndex + (start - chunkOffset))..<upper] }
        carried.append(chunk[chunk.startIndex..<upper])
        defer { carried = Data() }
        return carried
    }

    /// Ends the capture and drops its bytes.
    mutating func cancel() { self = StreamedCapture() }
}

/// A place in the bytes of a chunk while the chunk is read.
///
/// The pointers are valid only inside the closure that provides the bytes of the chunk.
struct StreamedCursor {
    /// The next byte to read. At most `end`.
    var next: UnsafePointer<UInt8>
    /// The end of the bytes to read.
    var end: UnsafePointer<UInt8>
    private let base: UnsafePointer<UInt8>
    private let baseOffset: Int

    /// Creates a cursor.
    /// - Parameters:
    ///   - base: The first byte of the chunk.
    ///   - count: The number of bytes in the chunk.
    ///   - position: The number of bytes of the chunk that have been read.
    ///   - baseOffset: The offset of the chunk in the stream.
    init(base: UnsafePointer<UInt8>, count: Int, position: Int, baseOffset: Int) {
        self.base = base
        self.baseOffset = baseOffset
        next = base + position
        end = base + count
    }

    /// Whether all bytes have been read.
    @inline(__always) var isAtEnd: Bool { next >= end }

    /// The offset of the next byte in the stream.
    @inline(__always) var offset: Int { baseOffset + (next - base) }

    /// Skips bytes of a string up to the first quotation mark, backslash, control character or byte outside ASCII.
    @inline(__always)
    mutating func skipPlainText() {
        while end - next >= 8 {
            let stops = JSONStringScan.special(loadWord())
            guard stops == 0 else {
                next += stops.trailingZeroBitCount >> 3
                return
            }
            next += 8
        }
        while next < end, Self.isPlainText(next.pointee) { next += 1 }
    }

    /// Skips complete, well-formed UTF-8 sequences outside ASCII and returns the number of continuation bytes in them.
    ///
    /// Stops before a sequence that is malformed or closer than four bytes to the end.
    @inline(__always)
    mutating func skipSequences() -> Int {
        var continuations = 0
        while end - next >= 4, next.pointee >= 0x80 {
            let length = UTF8Sequence.length(next, available: 4)
            guard length > 0 else { break }
            next += length
            continuations += length - 1
        }
        return continuations
    }

    /// Skips decimal digits.
    @inline(__always)
    mutating func skipDigits() {
        while next < end, next.pointee &- 0x30 < 10 { next += 1 }
    }

    /// Skips spaces, eight at a time.
    @inline(__always)
    mutating func skipSpaces() {
        while end - next >= 8, loadWord() == 0x2020_2020_2020_2020 { next += 8 }
        while next < end, next.pointee == 0x20 { next += 1 }
    }

    @inline(__always)
    private func loadWord() -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private static func isPlainText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
