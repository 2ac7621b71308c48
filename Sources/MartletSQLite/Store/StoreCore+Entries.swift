internal import MartletCache
internal import MartletEssentials

extension StoreCore {
    /// The number of uses that are collected before they are written without another change.
    private static let maxUses = 512

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        let found: [(FoundEntry, BodyPin?)]
        if let here = readHere(for: key, { (file) throws(CacheStoreError) in try self.held(for: key, in: file) }) {
            found = here
        } else {
            found = try await read { (file) throws(CacheStoreError) in try self.held(for: key, in: file) }
            state.withLock { $0.recent.note(key, now: settings.time.instant) }
        }
        noteUse(of: found.map(\.0.number))
        return found.map { entry, hold in
            guard let hold else {
                guard case .inline(let bytes) = entry.body else { return CacheEntry(response: entry.response, body: .empty) }
                return CacheEntry(response: entry.response, body: HTTPBody(bytes))
            }
            let length = entry.length
            return CacheEntry(
                response: entry.response,
                body: HTTPBody(length: length) { () throws(HTTPError) in ChunkReader(hold, length: length) })
        }
    }

    private func held(for key: CacheKey, in file: OpenFile) throws(CacheStoreError) -> [(FoundEntry, BodyPin?)] {
        try file.reads.entries(for: key).map { entry in
            guard case .chunked(let body) = entry.body else { return (entry, nil) }
            return (entry, BodyPin(self, body: body, entry: entry.number, epoch: file.epoch))
        }
    }

    func totals() async throws(CacheStoreError) -> StoreTotals {
        try await read { (file) throws(CacheStoreError) in try file.reads.totals() }
    }

    func drop(_ condition: String, _ values: [SQLiteValue]) async throws(CacheStoreError) {
        let count = try await change { (change) throws(CacheStoreError) in
            try change.connection.drop(condition, values, now: change.now)
        }
        if count > 0 { sweepSoon() }
    }

    func dropAll() async throws(CacheStoreError) {
        try await change { (change) throws(CacheStoreError) in try change.connection.dropAll(now: change.now) }
        sweepSoon()
    }

    // MARK: Uses

    /// Returns the time of a use, later than all earlier ones in this process.
    func nextUse() -> Int64 {
        let now = settings.milliseconds * 1000
        return state.withLock { state in
            state.lastUse = max(state.lastUse + 1, now)
            return state.lastUse
        }
    }

    /// Collects uses, so that a cache hit does not change the file.
    private func noteUse(of numbers: [Int64]) {
        guard !numbers.isEmpty else { return }
        let use = nextUse()
        let areMany = state.withLock { state in
            let before = state.uses.count
            for number in numbers { state.uses[number] = use }
            return before < StoreCore.maxUses && state.uses.count >= StoreCore.maxUses
        }
        guard areMany else { return }
        writing.post { [weak self] in
            guard let self, let file = self.state.withLock({ $0.file }) else { return }
            _ = try? self.transaction(file) { (_) throws(CacheStoreError) in }
        }
    }

    // MARK: Held bodies

    func hold(_ body: Int64, epoch: Int) {
        state.withLock { if $0.file?.epoch == epoch { $0.held[body, default: 0] += 1 } }
    }

    func release(_ body: Int64, epoch: Int) {
        state.withLock { state in
            guard state.file?.epoch == epoch, let count = state.held[body] else { return }
            state.held[body] = count > 1 ? count - 1 : nil
        }
    }

    var held: Set<Int64> { state.withLock { Set($0.held.keys) } }

    /// Returns the length of a body's chunks except the last, or 0 if it is unknown.
    func chunkSize(of hold: BodyPin) async throws(CacheStoreError) -> Int64 {
        try await read(hold) { (connection) throws(CacheStoreError) in try connection.chunkSize(of: hold.body) }
    }

    /// Returns a chunk of a body. The chunks exist at least as long as the response.
    func chunk(_ place: Int64, of hold: BodyPin) async throws(CacheStoreError) -> Data {
        try await read(hold) { (connection) throws(CacheStoreError) in
            if let bytes = try connection.chunk(place, of: hold.body) { return bytes }
            // Chunks are removed after the response, never before.
            let owner = try connection.number("SELECT chunked FROM entries WHERE number = ?", .number(hold.entry))
            guard owner != hold.body else { throw .damaged("a stored body") }
            throw CacheStoreError(.failed, "the body was removed while it was read")
        }
    }

    /// Reads from a body, in the file that contains it.
    private func read<Value: Sendable>(
        _ hold: BodyPin, _ work: @escaping @Sendable (SQLiteConnection) throws(CacheStoreError) -> Value
    ) async throws(CacheStoreError) -> Value {
        try await read(retries: false) { (file) throws(CacheStoreError) in
            guard file.epoch == hold.epoch else { throw StoreCore.replaced }
            return try work(file.reads)
        }
    }
}

/// Prevents the removal of a body's chunks in this process while they may be read.
final class BodyPin: Sendable {
    let core: StoreCore
    let body: Int64
    /// The response's number.
    let entry: Int64
    let epoch: Int

    init(_ core: StoreCore, body: Int64, entry: Int64, epoch: Int) {
        self.core = core
        self.body = body
        self.entry = entry
        self.epoch = epoch
        core.hold(body, epoch: epoch)
    }

    deinit { core.release(body, epoch: epoch) }
}
