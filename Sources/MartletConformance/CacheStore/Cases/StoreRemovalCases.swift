/// Cases about the removal of responses.
enum StoreRemovalCases {
    static let all = [
        StoreCase("removal.one", "Removing a response removes the one with the same ID and key, and no other", one),
        StoreCase("removal.uri", "Removing by URI removes all scopes and variants of that URI, and no other URI", uri),
        StoreCase("removal.all", "Removing everything leaves an empty store that can be used again", all),
    ]

    static func one(_ context: StoreCaseContext) async throws {
        let first = StoreSample("first", bytes: 300_000)
        let second = StoreSample("second", variant: CacheVariant([.init(name: "accept", value: "a")]))
        context.step("removing from an empty store")
        try await context.store.remove(first.response)
        for sample in [first, second] { try await context.put(sample) }
        for other in [StoreSample("third"), StoreSample("first", scope: "ada"), StoreSample("first", "http://other.test/")] {
            try await context.store.remove(other.response)
        }
        try await context.expect("after removing others", first.key, holds: first, second)
        try await context.store.remove(first.response)
        try await context.expect("after removing one", first.key, holds: second)
        try await context.store.remove(first.response)
        try await context.store.remove(second.response)
        try await context.expect("after removing both", first.key)
        try await context.put(first)
        try await context.expect("the same again", first.key, holds: first)
    }

    static func uri(_ context: StoreCaseContext) async throws {
        let uri = "http://birds.test/a_b%25?x=[1]*"
        let gone = [
            StoreSample("1", uri), StoreSample("2", uri, scope: "ada"), StoreSample("3", uri, scope: "*", bytes: 300_000),
            StoreSample("4", uri, variant: CacheVariant([.init(name: "accept", value: nil)])),
        ]
        let uris = [
            "http://birds.test/a_b%25?x=[1]", "http://birds.test/a_b%25?x=[1]**", "http://birds.test/aXb%25?x=1",
            "HTTP://birds.test/a_b%25?x=[1]*",
        ]
        let left = uris.enumerated().map { StoreSample("other\($0.offset)", $0.element) }
        for sample in gone + left { try await context.put(sample) }
        try await context.store.removeAll(for: uri)
        for sample in gone { try await context.expect("\(sample), removed", sample.key) }
        for sample in left { try await context.expect("\(sample), of another URI", sample.key, holds: sample) }
    }

    static func all(_ context: StoreCaseContext) async throws {
        context.step("removing all from an empty store")
        try await context.store.removeAll()
        let samples = (0..<10).map { StoreSample("s\($0)", "http://birds.test/\($0)", scope: "\($0 % 3)", bytes: $0 * 30_000) }
        for round in 1...2 {
            for sample in samples { try await context.put(sample) }
            try await context.store.removeAll()
            for sample in samples { try await context.expect("\(sample) in round \(round)", sample.key) }
        }
        try await context.put(samples[3])
        try await context.expect("what is stored after it", samples[3].key, holds: samples[3])
    }
}
