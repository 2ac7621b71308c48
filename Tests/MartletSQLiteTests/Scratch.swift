import Foundation
import MartletSystem
import MartletTesting

@testable import MartletSQLite

/// A temporary folder of one test, and helpers for stores in it. The folder is removed with this object.
final class Scratch: Sendable {
    let folder: URL
    let file: URL
    private let seen = Locked<[SQLiteCacheStore.Event]>([])

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-sqlite-\(UUID().uuidString)")
        file = folder.appendingPathComponent("cache.sqlite")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The events that stores have reported.
    var events: [SQLiteCacheStore.Event] { seen.withLock { $0 } }

    func store(
        capacity: Int64 = 50_000_000, time: any TimeSource = .system, maxPages: Int? = nil,
        _ change: (inout SQLiteCacheStore.Limits) -> Void = { _ in }
    ) -> SQLiteCacheStore {
        var limits = SQLiteCacheStore.Limits()
        limits.busyTimeout = .seconds(20)
        change(&limits)
        var settings = StoreSettings(capacity: capacity, limits: limits, time: time) { [seen] event in seen.withLock { $0.append(event) } }
        settings.maxPages = maxPages
        return SQLiteCacheStore(core: StoreCore(file, settings))
    }

    /// The names of all files in the folder.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}

/// A response for a test.
struct Sample: Sendable {
    let response: StoredResponse
    let body: Data

    init(_ id: String, _ uri: String? = nil, scope: String = "", variant: CacheVariant = CacheVariant(), bytes: Int = 100) {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        response = StoredResponse(
            id: id, key: CacheKey(uri: uri ?? "http://birds.test/\(id)", scope: scope), variant: variant, status: .ok,
            headers: ["etag": "\"\(id)\""], requestTime: date, responseTime: date)
        body = Sample.bytes(id, bytes)
    }

    var key: CacheKey { response.key }

    /// Bytes that are the same for the same name.
    static func bytes(_ name: String, _ count: Int) -> Data {
        var generator = SeededGenerator(seed: name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
        return generator.bytes(count)
    }
}

extension CacheStore {
    /// Stores a sample. Returns whether it was stored.
    @discardableResult
    func put(_ sample: Sample, chunk: Int = 100_000) async throws -> Bool {
        guard let writer = try await writer(for: sample.response, length: nil) else { return false }
        var rest = sample.body[...]
        while !rest.isEmpty {
            guard try await writer.write(Data(rest.prefix(chunk))) else { return false }
            rest = rest.dropFirst(chunk)
        }
        try await writer.finish()
        return true
    }

    /// Whether a sample is found completely.
    func has(_ sample: Sample) async throws -> Bool {
        for entry in try await entries(for: sample.key) where entry.response.id == sample.response.id {
            return try await entry.body.collect() == sample.body
        }
        return false
    }

    /// Returns the body that is found for a sample.
    func body(of sample: Sample) async throws -> HTTPBody? {
        try await entries(for: sample.key).first { $0.response.id == sample.response.id }?.body
    }
}

extension SQLiteCacheStore {
    /// Waits until the store has finished its automatic work.
    func settle() async throws {
        for _ in 0..<3 { try await core.writing.run(cancelled: .cancelled) { () throws(CacheStoreError) in } }
    }

    /// The number of bytes in the file that cannot be found.
    var looseBytes: Int64 { get async throws { try await core.totals().loose } }
}
