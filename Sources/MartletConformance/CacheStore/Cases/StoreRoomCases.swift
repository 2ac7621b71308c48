internal import MartletEssentials

/// Cases about a full store. Without a small store they run over a large one that has room for everything.
enum StoreRoomCases {
    static let all = [
        StoreCase("room.bounded", "A full store removes older responses and stays within its capacity", bounded),
        StoreCase("room.recency", "A response that is used again and again stays when others are removed", recency),
        StoreCase("room.too-large", "A body that exceeds the capacity is rejected, and no part of it is found", tooLarge),
        StoreCase(
            "room.reading", "Reading a body whose response is removed for lack of space returns all its bytes or throws an error", reading),
    ]

    private static let capacity = 2_000_000

    private static func small(_ context: StoreCaseContext) async throws -> StoreCaseContext {
        guard let make = context.options.makeSmall else { return context }
        return StoreCaseContext(try await make(capacity), context.options)
    }

    private static func within(_ context: StoreCaseContext, _ run: (StoreCaseContext) async throws -> Void) async throws {
        let small = try await small(context)
        try await run(small)
        if small !== context { for mismatch in small.mismatches { context.note(mismatch) } }
    }

    static func bounded(_ context: StoreCaseContext) async throws {
        try await within(context) { small in
            let samples = (0..<60).map { StoreSample("s\($0)", "http://birds.test/\($0)", bytes: $0 % 10 == 0 ? 300_000 : 60_000) }
            for sample in samples {
                try await small.put(sample)
                try await small.expect("\(sample), the newest", sample.key, holds: sample)
            }
            var bytes = 0
            for sample in samples { bytes += try await small.found(sample.key).reduce(0) { $0 + $1.body.count } }
            guard context.options.makeSmall != nil else { return }
            small.expect("the bytes of all bodies", bytes <= capacity, "at most \(capacity)", seen: "\(bytes)")
            small.expect("the bytes of all bodies", bytes >= capacity / 4, "at least \(capacity / 4)", seen: "\(bytes)")
        }
    }

    static func recency(_ context: StoreCaseContext) async throws {
        try await within(context) { small in
            let used = StoreSample("used", "http://birds.test/used", bytes: 100_000)
            try await small.put(used)
            let others = (0..<60).map { StoreSample("s\($0)", "http://birds.test/\($0)", bytes: 100_000) }
            for other in others {
                try await small.put(other)
                try await small.expect("the one that is used, after \(other)", used.key, holds: used)
            }
            guard context.options.makeSmall != nil else { return }
            try await small.expect("the first of the others", others[0].key)
        }
    }

    static func tooLarge(_ context: StoreCaseContext) async throws {
        guard context.options.makeSmall != nil else { return }
        try await within(context) { small in
            for knowsLength in [true, false] {
                let sample = StoreSample("large\(knowsLength)", bytes: 3_000_000)
                let isKept = try await small.put(sample, knowsLength: knowsLength)
                small.expect("\(sample)", !isKept, "the body to be rejected", seen: "that it was stored")
                try await small.expect("\(sample)", sample.key)
            }
            let sample = StoreSample("small")
            try await small.put(sample)
            try await small.expect("what fits, after it", sample.key, holds: sample)
        }
    }

    static func reading(_ context: StoreCaseContext) async throws {
        try await within(context) { small in
            let sample = StoreSample("read", "http://birds.test/read", bytes: 900_000)
            try await small.put(sample)
            guard let body = try await small.store.entries(for: sample.key).first?.body else {
                return small.note(Mismatch("\(sample)", expected: "a response", seen: "none"))
            }
            var iterator = body.makeAsyncIterator()
            var read = try await iterator.next() ?? Data()
            for number in 0..<30 { try await small.put(StoreSample("s\(number)", "http://birds.test/\(number)", bytes: 150_000)) }
            do {
                while let chunk = try await iterator.next() { read.append(chunk) }
                small.expect("\(sample)", read == sample.body, "all bytes or an error", seen: "\(read.count) bytes")
            } catch {}
        }
    }
}
