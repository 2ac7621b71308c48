internal import MartletEssentials

/// The bodies of responses.
enum StoreBodyCases {
    static let all = [
        StoreCase("bodies.sizes", "A body of any length is returned byte for byte, whether or not its length was known", sizes),
        StoreCase("bodies.chunks", "A body may be written in chunks of any size, and empty chunks have no effect", chunks),
        StoreCase("bodies.again", "A body can be read repeatedly, by concurrent readers, and only in part", again),
        StoreCase(
            "bodies.removed", "Reading a body whose response is removed or replaced returns all its bytes or throws an error", removed),
    ]

    static func sizes(_ context: StoreCaseContext) async throws {
        for size in [0, 1, 65_535, 65_536, 65_537, 262_144, 1_048_577, 5_000_000] {
            for knowsLength in [true, false] {
                let sample = StoreSample("s\(size)-\(knowsLength)", "http://birds.test/\(size)/\(knowsLength)", bytes: size)
                let isKept = try await context.put(sample, knowsLength: knowsLength)
                context.expect("\(sample)", isKept, "the body to be stored", seen: "that it was rejected")
                try await context.expect("\(sample)", sample.key, holds: sample)
                try await context.store.remove(sample.response)
            }
        }
    }

    static func chunks(_ context: StoreCaseContext) async throws {
        for chunk in [1, 7, 1000, 65_536, 70_000, 1_000_000] {
            let sample = StoreSample("s\(chunk)", "http://birds.test/\(chunk)", bytes: min(chunk * 500, 900_000))
            try await context.put(sample, chunk: chunk, knowsLength: false)
            try await context.expect("\(sample)", sample.key, holds: sample)
        }
        let sample = StoreSample("empty", bytes: 200_000)
        let writer = try await context.store.writer(for: sample.response, length: nil)
        for part in [
            Data(), sample.body.prefix(3), Data(), sample.body.dropFirst(3).prefix(150_000), sample.body.dropFirst(150_003), Data(),
        ] {
            _ = try await writer?.write(part)
        }
        try await writer?.finish()
        try await context.expect("\(sample), with empty chunks", sample.key, holds: sample)
    }

    static func again(_ context: StoreCaseContext) async throws {
        for size in [20, 2_000_000] {
            let sample = StoreSample("s\(size)", "http://birds.test/\(size)", bytes: size)
            try await context.put(sample)
            guard let body = try await context.store.entries(for: sample.key).first?.body else {
                return context.note(Mismatch("\(sample)", expected: "a response", seen: "none"))
            }
            context.step("leaving \(sample) in the middle")
            var left = body.makeAsyncIterator()
            _ = try await left.next()
            context.step("reading \(sample) eight times at once")
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await body.collect() == sample.body } }
                for try await isSame in group { context.expect("one of eight readers", isSame, "the body", seen: "other bytes") }
            }
            context.expect("a reader after them", try await body.collect() == sample.body, "the body", seen: "other bytes")
        }
    }

    static func removed(_ context: StoreCaseContext) async throws {
        let endings: [(String, @Sendable (StoreSample) async throws -> Void)] = [
            ("removed", { try await context.store.remove($0.response) }),
            ("removed by its URI", { try await context.store.removeAll(for: $0.key.uri) }),
            ("removed with all", { _ in try await context.store.removeAll() }),
            ("replaced", { try await context.put(StoreSample("new", $0.key.uri, bytes: $0.body.count)) }),
        ]
        for (index, (name, end)) in endings.enumerated() {
            for size in [50, 2_000_000] {
                let sample = StoreSample("\(index)-\(size)", "http://birds.test/\(index)/\(size)", bytes: size)
                try await context.put(sample)
                guard let body = try await context.store.entries(for: sample.key).first?.body else { continue }
                var read = Data(), iterator = body.makeAsyncIterator()
                context.step("reading \(sample), which is \(name)")
                if let chunk = try await iterator.next() { read.append(chunk) }
                try await end(sample)
                do {
                    while let chunk = try await iterator.next() { read.append(chunk) }
                    context.expect("\(sample), \(name)", read == sample.body, "all bytes or an error", seen: "\(read.count) bytes")
                } catch {}
                // A reader that begins after the change.
                if let bytes = try? await body.collect() {
                    context.expect("\(sample), \(name) before", bytes == sample.body, "all bytes or an error", seen: "\(bytes.count) bytes")
                }
            }
        }
    }
}
