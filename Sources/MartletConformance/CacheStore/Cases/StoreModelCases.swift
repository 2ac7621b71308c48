internal import MartletEssentials

/// A comparison of random operations with a dictionary.
enum StoreModelCases {
    static let all = [
        StoreCase("model.random", "After random operations in any order a store contains what a dictionary would", random)
    ]

    /// The expected content of the store.
    private struct Model {
        private var samples: [CacheKey: [CacheVariant: StoreSample]] = [:]

        func held(_ key: CacheKey) -> [StoreSample] { samples[key].map { Array($0.values) } ?? [] }

        mutating func put(_ sample: StoreSample) { samples[sample.key, default: [:]][sample.response.variant] = sample }

        mutating func update(_ response: StoredResponse) {
            guard let held = samples[response.key]?[response.variant], held.response.id == response.id else { return }
            samples[response.key]?[response.variant]?.response = response
        }

        mutating func remove(_ response: StoredResponse) {
            guard samples[response.key]?[response.variant]?.response.id == response.id else { return }
            samples[response.key]?[response.variant] = nil
        }

        mutating func removeAll(for uri: String) { samples = samples.filter { $0.key.uri != uri } }

        mutating func removeAll() { samples = [:] }
    }

    /// The random generator of the operations.
    private struct Draw {
        var generator: SeededGenerator
        private var lastID = 0

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func number(below limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

        mutating func key() -> CacheKey {
            CacheKey(uri: "http://birds.test/\(number(below: 6))", scope: number(below: 3) == 0 ? "ada" : "")
        }

        mutating func sample() -> StoreSample {
            lastID += 1
            let key = key(), value = ["a", "b", nil, ""][number(below: 4)]
            let variant = number(below: 2) == 0 ? CacheVariant() : CacheVariant([.init(name: "accept", value: value)])
            let size = [0, 5, 900, 65_536, 65_537, 150_000][number(below: 6)]
            return StoreSample("s\(lastID)", key.uri, scope: key.scope, variant: variant, bytes: size)
        }
    }

    static func random(_ context: StoreCaseContext) async throws {
        var model = Model(), draw = Draw(seed: context.options.seed)
        var open: [(writer: any CacheWriter, sample: StoreSample)] = []
        for number in 0..<context.options.operations where context.mismatches.isEmpty {
            let choice = draw.number(below: 100)
            switch choice {
            case 0..<30:
                let sample = draw.sample()
                if try await context.put(sample, knowsLength: choice % 2 == 0) { model.put(sample) }
            case 30..<38:
                let sample = draw.sample()
                if let writer = try await context.store.writer(for: sample.response, length: nil) { open.append((writer, sample)) }
            case 38..<46:
                guard !open.isEmpty else { continue }
                let (writer, sample) = open.remove(at: draw.number(below: open.count))
                // Half of the writers are released, with some or all of their bytes written.
                guard try await context.write(sample.body, to: writer), choice % 2 == 0 else { continue }
                try await writer.finish()
                model.put(sample)
            default: try await change(choice, context, &model, &draw)
            }
            let key = draw.key()
            try await context.expect("after operation \(number), seed \(context.options.seed)", key, holds: model.held(key))
        }
    }

    private static func change(_ choice: Int, _ context: StoreCaseContext, _ model: inout Model, _ draw: inout Draw) async throws {
        let key = draw.key(), held = model.held(key).sorted { $0.response.id < $1.response.id }
        let chosen = held.isEmpty ? draw.sample() : held[draw.number(below: held.count)]
        context.step("changing \(chosen)")
        switch choice {
        case 46..<70:
            let old = chosen.response
            let new = StoredResponse(
                id: old.id, key: old.key, variant: old.variant, status: old.status, headers: ["x": "\(draw.generator.next())"],
                requestTime: old.requestTime + 1, responseTime: old.responseTime + 1, isInvalidated: choice % 2 == 0)
            try await context.store.update(new)
            model.update(new)
        case 70..<93:
            try await context.store.remove(chosen.response)
            model.remove(chosen.response)
        case 93..<98:
            try await context.store.removeAll(for: key.uri)
            model.removeAll(for: key.uri)
        default:
            try await context.store.removeAll()
            model.removeAll()
        }
    }
}
