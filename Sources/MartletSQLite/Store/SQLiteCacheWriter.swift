internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// Writes a response to the file. The body is collected in memory while it is small, and then written chunk by chunk.
final class SQLiteCacheWriter: CacheWriter {
    private struct Progress {
        /// The bytes that are not in the file yet.
        var buffer = Data()
        var length: Int64 = 0
        var hasEnded = false
    }

    private let core: StoreCore
    private let response: StoredResponse
    private let progress = Locked(Progress())
    /// The body in chunks, after its first chunk. Changed only on the writing lane.
    private let begun = Locked<UnfinishedBody?>(nil)

    init(_ core: StoreCore, _ response: StoredResponse) {
        self.core = core
        self.response = response
    }

    deinit { if progress.withLock({ !$0.hasEnded }) { discard() } }

    private func discard() {
        guard (try? core.checkProcess()) != nil else { return }
        core.discard(begun)
    }

    // MARK: CacheWriter

    func write(_ chunk: Data) async throws(CacheStoreError) -> Bool {
        let settings = core.settings
        let (isTooLarge, pieces) = try progress.withLock { (progress) throws(CacheStoreError) -> (Bool, [Data]) in
            guard !progress.hasEnded else { throw SQLiteCacheWriter.ended }
            progress.length += Int64(chunk.count)
            guard progress.length <= settings.maxBodyBytes else { return (true, []) }
            progress.buffer.append(chunk)
            guard progress.length > Int64(settings.inlineBytes) else { return (false, []) }
            return (false, SQLiteCacheWriter.takePieces(from: &progress.buffer, of: settings.chunkBytes))
        }
        var isWanted = !isTooLarge
        do { for piece in pieces where isWanted { isWanted = try await put(piece) } } catch {
            end()
            throw error
        }
        if !isWanted { end() }
        return isWanted
    }

    func finish() async throws(CacheStoreError) {
        let (rest, length) = try progress.withLock { (progress) throws(CacheStoreError) -> (Data, Int64) in
            guard !progress.hasEnded else { throw SQLiteCacheWriter.ended }
            return (progress.buffer, progress.length)
        }
        do {
            if length <= Int64(core.settings.inlineBytes) { try await store(rest) } else { try await complete(rest, length) }
            progress.withLock { $0 = Progress(hasEnded: true) }
        } catch {
            end()
            throw error
        }
    }

    private static var ended: CacheStoreError { CacheStoreError(.failed, "the writer has already ended") }

    /// Ends the writer and discards the body.
    private func end() {
        let hadEnded = progress.withLock { progress in
            defer { progress = Progress(hasEnded: true) }
            return progress.hasEnded
        }
        if !hadEnded { discard() }
    }

    /// Removes and returns the full chunks of a buffer.
    private static func takePieces(from buffer: inout Data, of size: Int) -> [Data] {
        guard buffer.count >= size else { return [] }
        var pieces: [Data] = []
        var rest = buffer[...]
        while rest.count >= size {
            pieces.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        buffer = Data(rest)
        return pieces
    }

    // MARK: In the file

    private var epoch: Int? { begun.withLock { $0?.epoch } }

    /// Writes a chunk. Returns false if the limit on unfinished bodies is reached.
    private func put(_ piece: Data) async throws(CacheStoreError) -> Bool {
        let epoch = epoch
        return try await core.change(retries: epoch == nil, epoch: epoch) { [core, begun] (change) throws(CacheStoreError) in
            let limit = core.settings.maxUnfinished - Int64(piece.count)
            if try change.connection.unfinishedBytes() > limit {
                try core.buryLeftovers(change)
                guard try change.connection.unfinishedBytes() <= limit else { return false }
            }
            try SQLiteCacheWriter.append(piece, begun, change, core)
            return true
        }
    }

    private static func append(
        _ piece: Data, _ begun: Locked<UnfinishedBody?>, _ change: Change, _ core: StoreCore
    ) throws(CacheStoreError) {
        let connection = change.connection
        try core.makeRoom(for: Int64(piece.count), change)
        var body: UnfinishedBody
        if let before = begun.withLock({ $0 }) {
            body = before
            change.ifUndone { begun.withLock { $0 = before } }
        } else {
            let number = try connection.beginBody(now: change.now)
            // Claimed before the transaction is committed, because other processes look for the claim after that.
            let claim = try WriterClaim(at: try core.file.get().claimPath(of: number, in: change.file.identity))
            body = UnfinishedBody(number: number, epoch: change.file.epoch, claim: claim)
            core.began(number)
            change.ifUndone {
                // A later body gets the same number.
                begun.withLock { $0 = nil }
                core.ended(number)
            }
        }
        try connection.append(piece, at: body.chunks, to: body.number, now: change.now)
        body.chunks += 1
        begun.withLock { $0 = body }
    }

    private func store(_ body: Data) async throws(CacheStoreError) {
        let entry = NewEntry(response: response, body: .inline(body), length: Int64(body.count)), use = core.nextUse()
        try await core.change { [core] (change) throws(CacheStoreError) in
            try core.makeRoom(for: entry.size, change)
            try change.connection.insert(entry, used: use, now: change.now)
        }
    }

    private func complete(_ rest: Data, _ length: Int64) async throws(CacheStoreError) {
        let use = core.nextUse(), response = response, epoch = epoch
        let number = try await core.change(retries: epoch == nil, epoch: epoch) { [core, begun] (change) throws(CacheStoreError) -> Int64 in
            var rest = rest
            var pieces = SQLiteCacheWriter.takePieces(from: &rest, of: core.settings.chunkBytes)
            if !rest.isEmpty { pieces.append(rest) }
            for piece in pieces { try SQLiteCacheWriter.append(piece, begun, change, core) }
            guard let body = begun.withLock({ $0 }) else { throw SQLiteCacheWriter.ended }
            let entry = NewEntry(response: response, body: .chunked(body.number), length: length)
            try core.makeRoom(for: entry.size - length, change)
            try change.connection.complete(body.number)
            try change.connection.insert(entry, used: use, now: change.now)
            return body.number
        }
        core.ended(number)
        begun.withLock { $0 = nil }
    }
}
