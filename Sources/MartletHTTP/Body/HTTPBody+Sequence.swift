internal import MartletEssentials

extension HTTPBody {
    /// Creates a stream of the chunks of an `AsyncSequence` of `Data`, `[UInt8]` or another collection of bytes.
    ///
    /// The sequence is iterated on demand: the next chunk is requested when the last one has been taken. It runs in a task of its own,
    /// which is cancelled when the body is dropped or its call ends.
    ///
    /// - Parameters:
    ///   - sequence: The chunks.
    ///   - length: The number of bytes, sent as `Content-Length`. A sequence with more or fewer bytes fails the request before its last
    ///     byte is sent. Default: nil, unknown, and the body is sent in chunks.
    ///   - replayable: Whether the sequence can be iterated from the start for each attempt. Default: false, it is read once.
    public init<Chunks: AsyncSequence & Sendable>(_ sequence: Chunks, length: Int64? = nil, replayable: Bool = false)
    where Chunks.Element: Collection<UInt8> {
        self.init(length: length, replayable: replayable, SequenceChunks { sequence })
    }

    /// Creates a stream of the bytes of an `AsyncSequence` of single bytes.
    ///
    /// The bytes are collected into chunks of 16 KiB. A chunk is sent when it is full or the sequence ends, so bytes of a slow sequence are
    /// delayed.
    public init<Bytes: AsyncSequence & Sendable>(_ sequence: Bytes, length: Int64? = nil, replayable: Bool = false)
    where Bytes.Element == UInt8 {
        self.init(length: length, replayable: replayable, GatheredBytes { sequence })
    }

    /// Creates a stream of the chunks of a sequence that a closure creates on first use: for each attempt if replayable, otherwise once.
    public init<Chunks: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, makeSequence: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element: Collection<UInt8> {
        self.init(length: length, replayable: replayable, SequenceChunks(makeSequence))
    }

    /// Creates a stream of the single bytes of a sequence that a closure creates on first use: for each attempt if replayable, otherwise
    /// once.
    public init<Bytes: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, makeSequence: @escaping @Sendable () async throws -> Bytes
    ) where Bytes.Element == UInt8 {
        self.init(length: length, replayable: replayable, GatheredBytes(makeSequence))
    }

    private init(length: Int64?, replayable: Bool, _ chunks: some ChunkSource) {
        let chunks: any ChunkSource = chunks
        if replayable {
            self.init(
                length: length,
                makeReader: { () throws(HTTPError) in
                    let chunks = chunks.fromTheStart()
                    return ClosureBodyReader { try await chunks.next() }
                })
        } else {
            self.init(length: length) { try await chunks.next() }
        }
    }
}

/// The chunks of a sequence. Only one task at a time requests them: the task of a ``ClosureBodyReader``.
private protocol ChunkSource: AnyObject, Sendable {
    func next() async throws -> Data?

    /// Returns a source that iterates the sequence from the start.
    func fromTheStart() -> any ChunkSource
}

private final class SequenceChunks<Chunks: AsyncSequence>: ChunkSource, @unchecked Sendable where Chunks.Element: Collection<UInt8> {
    // Proof: `make` never changes. Only `next()` uses `iterator`, and its calls never overlap: by the contract of HTTPBodyReader, a
    // ClosureBodyReader has one read at a time, its task ends with the chunk that it passes on under a lock, and after a cancellation,
    // which does not wait for that task, no other task is started.
    private var iterator: Chunks.AsyncIterator?
    private let make: @Sendable () async throws -> Chunks

    init(_ make: @escaping @Sendable () async throws -> Chunks) { self.make = make }

    func fromTheStart() -> any ChunkSource { SequenceChunks(make) }

    func next() async throws -> Data? {
        var iterator: Chunks.AsyncIterator
        if let begun = self.iterator { iterator = begun } else { iterator = try await make().makeAsyncIterator() }
        self.iterator = nil
        let chunk = try await iterator.next()
        self.iterator = iterator
        return chunk.map { $0 as? Data ?? Data($0) }
    }
}

private final class GatheredBytes<Bytes: AsyncSequence>: ChunkSource, @unchecked Sendable where Bytes.Element == UInt8 {
    // Proof: `make` never changes. Only `next()` uses `iterator` and `hasEnded`, and its calls never overlap, for the reasons given in
    // SequenceChunks.
    private var iterator: Bytes.AsyncIterator?
    /// Whether the sequence has returned nil. It must not be asked again.
    private var hasEnded = false
    private let make: @Sendable () async throws -> Bytes

    init(_ make: @escaping @Sendable () async throws -> Bytes) { self.make = make }

    func fromTheStart() -> any ChunkSource { GatheredBytes(make) }

    func next() async throws -> Data? {
        guard !hasEnded else { return nil }
        var iterator: Bytes.AsyncIterator
        if let begun = self.iterator { iterator = begun } else { iterator = try await make().makeAsyncIterator() }
        self.iterator = nil
        var chunk: [UInt8] = []
        chunk.reserveCapacity(16 * 1024)
        while chunk.count < 16 * 1024 {
            guard let byte = try await iterator.next() else {
                hasEnded = true
                return chunk.isEmpty ? nil : Data(chunk)
            }
            chunk.append(byte)
        }
        self.iterator = iterator
        return Data(chunk)
    }
}
