import Foundation
import MartletTesting
import Testing

@testable import MartletConformance

@Suite("CacheStoreConformance: detecting broken stores", .timeLimit(.minutes(5)))
struct CacheStoreConformanceTests {
    static let faults: [(fault: DictionaryStore.Fault, ids: [String])] = [
        (.ignoringScopes, ["keys.apart"]), (.ignoringVariants, ["keys.variants"]), (.keepingReplaced, ["keys.variants", "model.random"]),
        (.decodingFields, ["heads.whole"]), (.keepingOldBody, ["heads.update"]), (.updatingAnyID, ["heads.update-elsewhere"]),
        (.addingOnUpdate, ["heads.update-elsewhere"]), (.shortBodies, ["bodies.sizes", "model.random"]),
        (.splittingChunksWrongly, ["bodies.chunks"]), (.singleUseBodies, ["bodies.again"]), (.showingUnfinished, ["writers.unfinished"]),
        (.keepingDropped, ["writers.dropped", "model.random"]), (.mixingBodies, ["bodies.removed"]), (.removingVariants, ["removal.one"]),
        (.removingByPrefix, ["removal.uri"]), (.keepingScopes, ["removal.uri", "model.random"]), (.removingNothing, ["removal.all"]),
        (.unbounded, ["room.bounded"]), (.forgettingOldestStored, ["room.recency"]), (.takingTooLarge, ["room.too-large"]),
        (.failingOnceCancelled, ["tasks.cancelled"]), (.hanging, ["keys.found"]),
    ]

    static func options(_ fault: DictionaryStore.Fault? = nil) -> CacheStoreConformance.Options {
        var options = CacheStoreConformance.Options()
        // With many concurrent tests, one may be delayed for a while.
        options.timeLimit = .seconds(120)
        options.operations = 200
        options.makeSmall = { DictionaryStore(fault, capacity: $0) }
        if fault == .hanging { options.timeLimit = .milliseconds(100) }
        return options
    }

    @Test("A correct store passes every case", arguments: CacheStoreConformance.cases)
    func sound(aCase: CacheStoreConformance.Case) async throws {
        try await aCase.check(options: Self.options()) { DictionaryStore() }
    }

    @Test("A store's fault is detected by the case that requires the correct behaviour", arguments: faults.indices)
    func found(index: Int) async throws {
        let (fault, ids) = Self.faults[index]
        for id in ids {
            let aCase = try #require(CacheStoreConformance.cases.first { $0.id == id })
            let failure = await aCase.failure(options: Self.options(fault)) { DictionaryStore(fault) }
            #expect(failure?.id == id, "\(fault) is not found by \(id)")
        }
    }

    @Test("Every fault is tested, and every case has a unique name and a sentence as its description")
    func names() {
        #expect(Set(Self.faults.map(\.fault)) == Set(DictionaryStore.Fault.allCases))
        let cases = CacheStoreConformance.cases
        #expect(Set(cases.map(\.id)).count == cases.count)
        #expect(cases.allSatisfy { $0.id.wholeMatch(of: /[a-z]+\.[a-z-]+/) != nil })
        #expect(cases.allSatisfy { $0.description.count > 20 && $0.description.first?.isUppercase == true })
    }

    @Test("The error of a check lists every failed case, and a store that can't be created")
    func check() async throws {
        try await CacheStoreConformance.check(options: Self.options()) { DictionaryStore() }
        let error = try await #require(throws: CacheStoreConformance.Failure.self) {
            try await CacheStoreConformance.check(options: Self.options()) { throw CacheStoreError(.unavailable, "no store") }
        }
        #expect(error.count == CacheStoreConformance.cases.count)
        #expect(error.cases.count == error.count)
        #expect(error.description.contains("no store"))
    }
}
