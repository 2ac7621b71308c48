internal import MartletEssentials

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
