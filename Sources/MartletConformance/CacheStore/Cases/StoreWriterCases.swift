/// Cases about writers.
enum StoreWriterCases {
    static let all = [
        StoreCase(
            "writers.unfinished", "A response is not found before its writer has finished, and the older response is found until then",
            unfinished),
        StoreCase("writers.dropped", "A released writer stores nothing, and the older response remains", dropped),
        StoreCase(
            "writers.together", "Concurrent writers for one key and variant each store a complete response, and the last to finish remains",
            together),
    ]

    static func unfinished(_ context: StoreCaseContext) async throws {
        for size in [10, 1_000_000] {
            let old = StoreSample("old\(size)", "http://birds.test/\(size)", bytes: 500)
            let new = StoreSample("new\(size)", "http://birds.test/\(size)", bytes: size)
            let writer = try await context.store.writer(for: new.response, length: nil)
            try await context.expect("a writer that has begun", new.key)
            try await context.put(old)
            _ = try await writer?.write(new.body)
            try await context.expect("a writer that has all bytes", new.key, holds: old)
            try await writer?.finish()
            try await context.expect("a writer that has finished", new.key, holds: new)
        }
    }

    static func dropped(_ context: StoreCaseContext) async throws {
        for size in [10, 1_000_000] {
            let old = StoreSample("old\(size)", "http://birds.test/\(size)"), new = StoreSample("new\(size)", old.key.uri, bytes: size)
            try await abandon(new, context)
            try await context.expect("after a writer that was let go of", new.key)
            try await context.put(old)
            try await abandon(new, context)
            try await context.expect("after another", new.key, holds: old)
            try await context.put(new)
            try await context.expect("the same response, written to its end", new.key, holds: new)
        }
    }

    private static func abandon(_ sample: StoreSample, _ context: StoreCaseContext) async throws {
        guard let writer = try await context.store.writer(for: sample.response, length: Int64(sample.body.count)) else { return }
        _ = try await context.write(sample.body, to: writer)
    }

    static func together(_ context: StoreCaseContext) async throws {
        let samples = (0..<6).map { StoreSample("s\($0)", bytes: $0 % 2 == 0 ? 400_000 : 40) }
        var writers: [any CacheWriter] = []
        for sample in samples {
            if let writer = try await context.store.writer(for: sample.response, length: nil) { writers.append(writer) }
        }
        context.expect("writers at once", writers.count == samples.count, "\(samples.count)", seen: "\(writers.count)")
        for part in 0..<4 {
            for (writer, sample) in zip(writers, samples) {
                let size = sample.body.count / 4
                _ = try await writer.write(sample.body.dropFirst(part * size).prefix(size))
            }
        }
        for (writer, sample) in zip(writers, samples) {
            try await writer.finish()
            try await context.expect("after \(sample)", sample.key, holds: sample)
        }
    }
}
