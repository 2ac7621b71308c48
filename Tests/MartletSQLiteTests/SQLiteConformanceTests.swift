import MartletTesting
import Testing

@testable import MartletConformance
@testable import MartletSQLite

@Suite("SQLiteCacheStore: conformance", .timeLimit(.minutes(5)))
struct SQLiteConformanceTests {
    @Test("SQLiteCacheStore fulfils the contract of a cache store", arguments: CacheStoreConformance.cases)
    func conforms(aCase: CacheStoreConformance.Case) async throws {
        try await check(aCase) { _ in }
    }

    @Test("SQLiteCacheStore fulfils the contract with every body in small chunks", arguments: CacheStoreConformance.cases)
    func chunked(aCase: CacheStoreConformance.Case) async throws {
        try await check(aCase) { limits in
            limits.inlineBytes = 0
            limits.chunkBytes = 10_000
        }
    }

    @Test("Random operations with other seeds agree with a dictionary", arguments: UInt64(2)...2)
    func seeds(seed: UInt64) async throws {
        let aCase = try #require(CacheStoreConformance.cases.first { $0.id == "model.random" })
        try await check(aCase, seed: seed) { $0.chunkBytes = 30_000 }
    }

    private func check(
        _ aCase: CacheStoreConformance.Case, seed: UInt64 = 1, _ change: @escaping @Sendable (inout SQLiteCacheStore.Limits) -> Void
    ) async throws {
        let scratch = Scratch(), small = Scratch()
        var options = CacheStoreConformance.Options()
        options.timeLimit = .seconds(120)
        options.operations = 60
        options.seed = seed
        options.makeSmall = { small.store(capacity: Int64($0), change) }
        try await aCase.check(options: options) { scratch.store(change) }
        #expect(scratch.events + small.events == [])
    }
}
