/// Cases about keys and variants.
enum StoreKeyCases {
    static let all = [
        StoreCase("keys.found", "A stored response is found by its key, in any order and any number of times", found),
        StoreCase("keys.apart", "Different keys never find each other's responses", apart),
        StoreCase(
            "keys.variants", "A key keeps one response for each variant, and a newer response replaces the older one", variants),
        StoreCase("keys.long", "Keys, scopes and variants may be long and contain any text", long),
    ]

    static func found(_ context: StoreCaseContext) async throws {
        let samples = (0..<20).map { StoreSample("s\($0)", "http://birds.test/\($0)", bytes: $0 * 50) }
        try await context.expect("a store that is new", samples[0].key)
        for sample in samples { try await context.put(sample) }
        for sample in samples.reversed() + samples { try await context.expect("\(sample)", sample.key, holds: sample) }
    }

    static func apart(_ context: StoreCaseContext) async throws {
        let keys = [
            ("http://a.test/x", ""), ("http://a.test/x", "ada"), ("http://a.test/X", ""), ("http://a.test/x?", ""),
            ("http://a.test/xa", "da"),
            ("https://a.test/x", ""), ("http://a.test/x", "Ada"), ("http://a.test/x", "ada "), ("http://a.test/x\u{0}", ""),
            ("http://a.test/%", ""), ("http://a.test/_", ""), ("http://a.test/é", ""), ("http://a.test/e\u{301}", ""),
            ("http://a.test/x\u{0}y", ""), ("", "http://a.test/x"), ("", ""), ("http://a.test/x", "ada\u{0}b"),
        ]
        let samples = keys.enumerated().map { StoreSample("s\($0.offset)", $0.element.0, scope: $0.element.1) }
        // Keys that Swift considers equal count as one.
        let different = samples.filter { sample in samples.first { $0.key == sample.key } == sample }
        for sample in different { try await context.put(sample) }
        for sample in different { try await context.expect("“\(sample.key.uri)” of “\(sample.key.scope)”", sample.key, holds: sample) }
        try await context.expect("a key that was never stored", CacheKey(uri: "http://a.test/", scope: "ada"))
    }

    static func variants(_ context: StoreCaseContext) async throws {
        let variants = [
            CacheVariant(), CacheVariant([.init(name: "accept", value: "a")]), CacheVariant([.init(name: "accept", value: "b")]),
            CacheVariant([.init(name: "accept", value: nil)]), CacheVariant([.init(name: "accept", value: "")]),
            CacheVariant([.init(name: "accept", value: "a"), .init(name: "accept-language", value: "b")]),
        ]
        let first = variants.enumerated().map { StoreSample("first\($0.offset)", variant: $0.element) }
        for sample in first { try await context.put(sample) }
        try await context.expect("all variants", first[0].key, holds: first)
        let second = StoreSample("second", variant: variants[1], bytes: 7)
        try await context.put(second)
        try await context.expect("one of them replaced", first[0].key, holds: [first[0], second] + first[2...])
    }

    static func long(_ context: StoreCaseContext) async throws {
        let text = String(repeating: "äß🐦\n\t'\";--%_\\", count: 800)
        let variant = CacheVariant([.init(name: "accept", value: text), .init(name: "x", value: text)])
        let one = StoreSample("one", "http://a.test/" + text, scope: text, variant: variant)
        let other = StoreSample("other", "http://a.test/" + text + "x", scope: text, variant: variant)
        for sample in [one, other] { try await context.put(sample) }
        for sample in [one, other] { try await context.expect("\(sample)", sample.key, holds: sample) }
    }
}
