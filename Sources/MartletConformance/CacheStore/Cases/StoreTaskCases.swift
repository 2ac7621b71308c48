/// Cases about concurrent tasks.
enum StoreTaskCases {
    static let all = [
        StoreCase(
            "tasks.many", "Concurrent tasks may store, find, update and remove responses, and every response found is complete", many),
        StoreCase("tasks.cancelled", "A cancelled task gets a result or an error, and the store keeps working for other tasks", cancelled),
    ]

    static func many(_ context: StoreCaseContext) async throws {
        context.step("16 tasks with 8 keys")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var generator = SeededGenerator(seed: context.options.seed &+ UInt64(task))
                    for round in 0..<25 { try await act(context, "\(task)-\(round)", &generator) }
                }
            }
            try await group.waitForAll()
        }
        let sample = StoreSample("last", "http://birds.test/0")
        try await context.put(sample)
        try await context.expect("what is stored after them", sample.key, holds: sample)
    }

    private static func act(_ context: StoreCaseContext, _ id: String, _ generator: inout SeededGenerator) async throws {
        let uri = "http://birds.test/\(generator.next() % 8)"
        let sizes = [0, 10, 3000, 200_000], choice = generator.next() % 10
        let sample = StoreSample(id, uri, bytes: sizes[Int(generator.next() % 4)])
        if choice < 4 {
            try await context.put(sample)
            return
        }
        for entry in try await context.store.entries(for: sample.key) {
            let body: HTTPBody = entry.body
            // Another task may have removed it in the meantime.
            guard let bytes = try? await body.collect() else { continue }
            let expected = StoreSample.bytes(entry.response.id, bytes.count)
            let isWhole = bytes == expected && sizes.contains(bytes.count)
            context.expect("\(entry.response.id)", isWhole, "all its bytes", seen: "\(bytes.count) bytes")
            if choice == 8 { try await context.store.update(entry.response) }
            if choice == 9 { try await context.store.remove(entry.response) }
        }
    }

    static func cancelled(_ context: StoreCaseContext) async throws {
        for round in 0..<20 {
            let sample = StoreSample("s\(round)", "http://birds.test/\(round)", bytes: 300_000)
            context.step("a task that stores \(sample) and is cancelled")
            let task = Task {
                _ = try? await context.put(sample, chunk: 10_000)
                _ = try? await context.found(sample.key)
            }
            for _ in 0..<(round * 4) { await Task.yield() }
            task.cancel()
            await task.value
            let found = try await context.found(sample.key)
            context.expect("\(sample)", found.isEmpty || found == [sample], "it or nothing", seen: "\(found)")
        }
        let sample = StoreSample("last", bytes: 300_000)
        try await context.put(sample)
        try await context.expect("what is stored after them", sample.key, holds: sample)
    }
}
