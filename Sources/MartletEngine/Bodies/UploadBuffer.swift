package import MartletEssentials
package import MartletHTTP

/// The chunks of a request body that the engine has not read yet, and the closure that wakes the engine when it waits for more.
package struct UploadBuffer {
    package typealias Wake = @Sendable () -> Void

    private var chunks: [Data] = []
    /// The number of bytes of the first chunk that the engine has read.
    private var offset = 0
    /// The result at the end of the body; nil while more bytes may follow.
    package private(set) var end: Result<Void, HTTPError>?
    /// Whether the engine found no bytes and waits for a wake-up.
    private var isStalled = false
    package private(set) var isClosed = false
    private var wake: Wake?

    /// The number of chunks that are not read completely.
    package var count: Int { chunks.count }

    /// Sets the closure to call when bytes or the end are available after the engine found none.
    package mutating func setWake(_ wake: @escaping Wake) { if !isClosed { self.wake = wake } }

    /// Copies bytes into a buffer.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadSource.Outcome {
        guard let chunk = chunks.first else {
            switch end {
            case .success: return .bytes(0)
            case .failure(let error): return .failed(error)
            case nil:
                isStalled = true
                return .stalled
            }
        }
        let count = min(buffer.count, chunk.count - offset)
        let start = chunk.startIndex + offset
        chunk.copyBytes(to: buffer.bindMemory(to: UInt8.self), from: start..<start + count)
        offset += count
        if offset == chunk.count {
            chunks.removeFirst()
            offset = 0
        }
        return .bytes(count)
    }

    /// Adds a chunk that is not empty. Returns the closure that wakes the engine if it is waiting.
    package mutating func append(_ chunk: Data) -> Wake? {
        chunks.append(chunk)
        return unstall()
    }

    /// Ends the body. Returns the closure that wakes the engine if it is waiting.
    package mutating func finish(_ end: Result<Void, HTTPError>) -> Wake? {
        self.end = end
        return unstall()
    }

    /// Drops the chunks and the end, because the body restarts at its first byte.
    package mutating func rewind() { (chunks, offset, end) = ([], 0, nil) }

    /// Drops the chunks and the closure. The engine reads no more bytes.
    package mutating func close() {
        isClosed = true
        wake = nil
        chunks = []
    }

    private mutating func unstall() -> Wake? {
        defer { isStalled = false }
        return isStalled ? wake : nil
    }
}
