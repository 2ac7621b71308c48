internal import MartletEssentials

/// The bodies of responses.
enum StoreBodyCases {
    static let all = [
        StoreCase("bodies.sizes", "Bodies of any size come back byte for byte, whether their length was known or not", sizes),
        StoreCase("bodies.chunks", "It does not matter in what chunks a body is written, and empty ones are nothing", chunks),
        StoreCase("bodies.again", "A body can be read again, by several readers at once, and be left in the middle", again),
        StoreCase("bodies.removed", "A body that is read while its response is removed or replaced gives all bytes or an error", removed),
    ]

    static func sizes(_ trial: StoreCaseContext) async throws {
        for size in [0, 1, 65_535, 65_536, 65_537, 262_144, 1_048_577, 5_000_000] {
            for knowsLength in [true, false] {
                let sample = StoreSample("s\(size)-\(knowsLength)", "http://birds.test/\(size)/\(knowsLength)", bytes: size)
                let isKept = try await trial.put(sample, knowsLength: knowsLength)
                trial.expect("\(sample)", isKept, "it to be kept", seen: "that it was refused")
                try await trial.expect("\(sample)", sample.key, holds: sample)
                try await trial.store.remove(sample.response)
            }
        }
    }

    static func chunks(_ trial: StoreCaseContext) async throws {
        for chunk in [1, 7, 1000, 65_536, 70_000, 1_000_000] {
            let sample = StoreSample("s\(chunk)", "http://birds.test/\(chunk)", bytes: min(chunk * 500, 900_000))
            try await trial.put(sample, chunk: chunk, knowsLength: false)
            try await trial.expect("\(sample)", sample.key, holds: sample)
        }
        let sample = StoreSample("empty", bytes: 200_000)
        let writer = try await trial.store.writer(for: sample.response, length: nil)
        for part in [
            Data(), sample.body.prefix(3), Data(), sample.body.dropFirst(3).prefix(150_000), sample.body.dropFirst(150_003), Data(),
        ] {
            _ = try await writer?.write(part)
        }
        try await writer?.finish()
        try await trial.expect("\(sample), with empty chunks", sample.key, holds: sample)
    }

    static func again(_ trial: StoreCaseContext) async throws {
        for size in [20, 2_000_000] {
            let sample = StoreSample("s\(size)", "http://birds.test/\(size)", bytes: size)
            try await trial.put(sample)
            guard let body = try await trial.store.entries(for: sample.key).first?.body else {
                return trial.note(Mismatch("\(sample)", expected: "a response", seen: "none"))
            }
            trial.step("leaving \(sample) in the middle")
            var left = body.makeAsyncIterator()
            _ = try await left.next()
            trial.step("reading \(sample) eight times at once")
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await body.collect() == sample.body } }
                for try await isSame in group { trial.expect("one of eight readers", isSame, "the body", seen: "other bytes") }
            }
            trial.expect("a reader after them", try await body.collect() == sample.body, "the body", seen: "other bytes")
        }
    }

    static func removed(_ trial: StoreCaseContext) async throws {
        let endings: [(String, @Sendable (StoreSample) async throws -> Void)] = [
            ("removed", { try await trial.store.remove($0.response) }),
            ("removed by its URI", { try await trial.store.removeAll(for: $0.key.uri) }),
            ("removed with all", { _ in try await trial.store.removeAll() }),
            ("replaced", { try await trial.put(StoreSample("new", $0.key.uri, bytes: $0.body.count)) }),
        ]
        for (index, (name, end)) in endings.enumerated() {
            for size in [50, 2_000_000] {
                let sample = StoreSample("\(index)-\(size)", "http://birds.test/\(index)/\(size)", bytes: size)
                try await trial.put(sample)
                guard let body = try await trial.store.entries(for: sample.key).first?.body else { continue }
                var read = Data(), iterator = body.makeAsyncIterator()
                trial.step("reading \(sample), which is \(name)")
                if let chunk = try await iterator.next() { read.append(chunk) }
                try await end(sample)
                do {
                    while let chunk = try await iterator.next() { read.append(chunk) }
                    trial.expect("\(sample), \(name)", read == sample.body, "all bytes or an error", seen: "\(read.count) bytes")
                } catch {}
                // One that begins only now.
                if let bytes = try? await body.collect() {
                    trial.expect("\(sample), \(name) before", bytes == sample.body, "all bytes or an error", seen: "\(bytes.count) bytes")
                }
            }
        }
    }
}
