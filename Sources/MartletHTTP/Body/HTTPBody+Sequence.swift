internal import MartletEssentials

extension HTTPBody {
    /// A stream of the chunks of an `AsyncSequence` of `Data`, `[UInt8]` or any other collection of bytes.
    ///
    /// The sequence is asked for a chunk when the last one has been taken, and never ahead. It runs in a task of its own, which is
    /// cancelled when the body is dropped or the call that sends it ends.
    ///
    /// - Parameters:
    ///   - sequence: what gives the chunks.
    ///   - length: how many bytes there will be. Sent as `Content-Length`; a sequence that gives more or fewer fails the request before its
    ///     last byte is sent. Default: nobody knows, and the body is sent in chunks.
    ///   - replayable: whether the sequence may be iterated anew, from the start, for each attempt. Default: it is read once.
    public init<Chunks: AsyncSequence & Sendable>(_ sequence: Chunks, length: Int64? = nil, replayable: Bool = false)
    where Chunks.Element: Collection<UInt8> {
        self.init(length: length, replayable: replayable, SequenceChunks { sequence })
    }

    /// A stream of the bytes of an `AsyncSequence` of single bytes, gathered into chunks of 16 KiB: what a slow one gives is sent when so
    /// many have come, or when it ends.
    public init<Bytes: AsyncSequence & Sendable>(_ sequence: Bytes, length: Int64? = nil, replayable: Bool = false)
    where Bytes.Element == UInt8 {
        self.init(length: length, replayable: replayable, GatheredBytes { sequence })
    }

    /// A stream of the chunks of a sequence that is made when it is first asked for: anew for each attempt, or once.
    public init<Chunks: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, makeSequence: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element: Collection<UInt8> {
        self.init(length: length, replayable: replayable, SequenceChunks(makeSequence))
    }

    /// The same of single bytes.
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

/// The chunks of a sequence, one by one. One task at a time asks for them: that of a ``ClosureBodyReader``.
private protocol ChunkSource: AnyObject, Sendable {
    func next() async throws -> Data?

    /// The same of a sequence that is begun anew.
    func fromTheStart() -> any ChunkSource
}

private final class SequenceChunks<Chunks: AsyncSequence>: ChunkSource, @unchecked Sendable where Chunks.Element: Collection<UInt8> {
    // Proof: `make` never changes. Only `next()` uses `iterator`, and its calls never overlap: by the contract of HTTPBodyReader a
    // ClosureBodyReader has one read at a time, its task ends with the chunk that it hands over under a lock, and after a cancellation,
    // which does not wait for that task, no other is started.
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
    /// Whether the sequence has given nil and must not be asked again.
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
