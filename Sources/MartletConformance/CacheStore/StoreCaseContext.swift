internal import MartletEssentials
internal import MartletSystem

/// The context of a case over a store: the store, and the log of the case.
final class StoreCaseContext: ConformanceContext {
    let store: any CacheStore
    let options: CacheStoreConformance.Options
    let log = Locked(CaseLog())

    init(_ store: any CacheStore, _ options: CacheStoreConformance.Options) {
        self.store = store
        self.options = options
    }

    func end() async {}

    /// Stores a sample in chunks of at most `chunk` bytes. Returns whether it was stored.
    @discardableResult
    func put(_ sample: StoreSample, chunk: Int = 100_000, knowsLength: Bool = true) async throws -> Bool {
        step("storing \(sample)")
        let length = knowsLength ? Int64(sample.body.count) : nil
        guard let writer = try await store.writer(for: sample.response, length: length) else { return false }
        guard try await write(sample.body, to: writer, chunk: chunk) else { return false }
        try await writer.finish()
        return true
    }

    /// Passes bytes to a writer. Returns whether the writer accepted all of them.
    func write(_ bytes: Data, to writer: any CacheWriter, chunk: Int = 100_000) async throws -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard try await writer.write(Data(rest.prefix(chunk))) else { return false }
            rest = rest.dropFirst(chunk)
        }
        return true
    }

    /// Returns the responses that are found for a key, with their bodies.
    func found(_ key: CacheKey) async throws -> [StoreSample] {
        step("looking for \(key.uri) of “\(key.scope)”")
        var samples: [StoreSample] = []
        for entry in try await store.entries(for: key) {
            let body = try await entry.body.collect()
            let length = entry.body.length ?? Int64(body.count)
            expect("\(key.uri), the body's length", length == Int64(body.count), "\(body.count)", seen: "\(length)")
            samples.append(StoreSample(response: entry.response, body: body))
        }
        return samples.sorted { $0.response.id < $1.response.id }
    }

    /// Notes a mismatch unless exactly these samples are found for a key, in any order.
    func expect(_ subject: String, _ key: CacheKey, holds samples: StoreSample...) async throws {
        try await expect(subject, key, holds: samples)
    }

    func expect(_ subject: String, _ key: CacheKey, holds samples: [StoreSample]) async throws {
        let seen = try await found(key), expected = samples.sorted { $0.response.id < $1.response.id }
        guard seen != expected else { return }
        func words(_ samples: [StoreSample]) -> String { samples.isEmpty ? "nothing" : "\(samples)" }
        let isOnlyInside = seen.map(\.description) == expected.map(\.description)
        note(Mismatch(subject, expected: words(expected), seen: isOnlyInside ? "different content: \(words(seen))" : words(seen)))
    }
}

/// A response with its body for a store.
struct StoreSample: Sendable, Hashable, CustomStringConvertible {
    var response: StoredResponse
    var body: Data

    /// Creates a response whose body of `bytes` bytes depends on its ID.
    init(
        _ id: String, _ uri: String = "http://birds.test/", scope: String = "", variant: CacheVariant = CacheVariant(),
        headers: HTTPFields = ["etag": "\"1\""], bytes: Int = 100
    ) {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        self.init(
            response: StoredResponse(
                id: id, key: CacheKey(uri: uri, scope: scope), variant: variant, status: .ok, headers: headers, requestTime: date,
                responseTime: date + 1),
            body: StoreSample.bytes(id, bytes))
    }

    init(response: StoredResponse, body: Data) {
        self.response = response
        self.body = body
    }

    var key: CacheKey { response.key }

    /// The ID and the number of bytes.
    var description: String { "\(response.id) with \(body.count) bytes" }

    /// Returns bytes that are always the same for a name.
    static func bytes(_ name: String, _ count: Int) -> Data {
        // FNV-1a, because a Hasher returns different values in each process.
        let seed = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        var generator = SeededGenerator(seed: seed)
        return generator.bytes(count)
    }
}
