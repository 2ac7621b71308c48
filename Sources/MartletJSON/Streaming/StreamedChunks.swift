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
