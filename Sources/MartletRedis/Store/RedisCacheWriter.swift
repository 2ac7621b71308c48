internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// Writes a response to the server. Used by one task at a time.
final class RedisCacheWriter: CacheWriter {
    private enum Phase {
        case open
        case tooLarge
        case failed(CacheStoreError)
        case finished
    }

    private struct State {
        var phase = Phase.open
        var rest = Data()
        var length: Int64 = 0
        var pieces = 0
    }

    private let response: StoredResponse
    private let head: Data
    private let maxBodyBytes: Int64
    private let timeToLive: Int64
    private let pieces: String
    private let layout: RedisLayout
    private let pool: RedisPool
    private let state = Locked(State())

    /// The maximum length in bytes of a body that is stored with its entry.
    static let small = 64 << 10
    /// The range of the time in milliseconds for which a piece is kept if its writer does not finish: as long as an entry, but at most an
    /// hour and, for slow writers, at least a minute.
    private static let patience: ClosedRange<Int64> = 60_000...3_600_000

    init(
        _ response: StoredResponse, head: Data, maxBodyBytes: Int64, timeToLive: Int64, name: String, _ layout: RedisLayout,
        _ pool: RedisPool
    ) {
        self.response = response
        self.head = head
        self.maxBodyBytes = maxBodyBytes
        self.timeToLive = timeToLive
        self.layout = layout
        self.pool = pool
        pieces = layout.pieces(of: name)
    }

    deinit {
        let state = state.withLock { $0 }
        if case .finished = state.phase { return }
        removePieces(state.pieces)
    }

    func write(_ chunk: Data) async throws(CacheStoreError) -> Bool {
        guard try isOpen() else { return false }
        let isTooLarge = state.withLock { state in
            state.length += Int64(chunk.count)
            return state.length > maxBodyBytes
        }
        guard !isTooLarge else {
            abandon(.tooLarge)
            return false
        }
        var left = chunk[...]
        while !left.isEmpty {
            let full: Data? = state.withLock { state in
                let next = left.prefix(StoredPieces.size - state.rest.count)
                left = left.dropFirst(next.count)
                state.rest.append(next)
                return state.rest.count == StoredPieces.size ? state.rest : nil
            }
            if let full { try await store(piece: full) }
        }
        return true
    }

    func finish() async throws(CacheStoreError) {
        guard try isOpen() else { return }
        let rest = state.withLock { $0.rest }, isSmall = state.withLock { $0.pieces == 0 } && rest.count <= RedisCacheWriter.small
        if !isSmall, !rest.isEmpty { try await store(piece: rest) }
        let (length, count) = state.withLock { ($0.length, $0.pieces) }, body = isSmall ? rest : Data()
        let key = response.key, variant = layout.name(of: response.variant), entries = layout.entries(of: key)
        let command = RedisCommand(
            script: RedisScripts.store, keys: [layout.uri(key.uri), layout.variants(of: key), entries + variant],
            arguments: [
                .text(layout.name(of: key)), .text(variant), .number(timeToLive), .number(RedisCacheStore.grace), .text(response.id),
                .data(head), .number(length), .number(Int64(body.withUnsafeBytes { CRC32.of($0) })), .data(body),
                .text(isSmall ? "" : pieces), .number(Int64(count)), .text(pieces), .text(entries),
            ])
        let reply = try await send(command)
        guard reply == .integer(1) else {
            let error = CacheStoreError(.failed, "the server has lost pieces of the body before all were stored")
            abandon(.failed(error))
            throw error
        }
        state.withLock { ($0.phase, $0.rest) = (.finished, Data()) }
    }

    /// Whether more bytes are wanted. Throws the error of an earlier failure again.
    private func isOpen() throws(CacheStoreError) -> Bool {
        try state.withLock { state throws(CacheStoreError) in
            switch state.phase {
            case .open: return true
            case .tooLarge, .finished: return false
            case .failed(let error): throw error
            }
        }
    }

    private func store(piece: Data) async throws(CacheStoreError) {
        let index = state.withLock { state in
            state.rest = Data()
            defer { state.pieces += 1 }
            return state.pieces
        }
        let command = RedisCommand(
            "SET", .text("\(pieces)\(index)"), .data(StoredPieces.piece(piece)), "PX",
            .number(min(max(timeToLive, RedisCacheWriter.patience.lowerBound), RedisCacheWriter.patience.upperBound)))
        _ = try await send(command)
    }

    private func send(_ command: RedisCommand) async throws(CacheStoreError) -> RESPValue {
        do {
            return try await pool.send(command)
        } catch {
            abandon(.failed(error))
            throw error
        }
    }

    private func abandon(_ phase: Phase) {
        let pieces = state.withLock { state in
            defer { (state.phase, state.rest, state.pieces) = (phase, Data(), 0) }
            return state.pieces
        }
        removePieces(pieces)
    }

    /// Removes pieces from the server. Without the command they would expire.
    private func removePieces(_ count: Int) {
        guard count > 0 else { return }
        pool.sendAway(RedisCommand(["UNLINK"] + (0..<count).map { .text("\(pieces)\($0)") }))
    }
}
