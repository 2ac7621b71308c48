internal import MartletEssentials

/// Thousands of concurrent calls, many of them cancelled.
enum StressCases {
    static let all = [
        Case(
            "stress.cancellation", "In thousands of concurrent calls, a third of them cancelled at any moment, each call ends correctly",
            cancellation)
    ]

    /// The moment at which a call is cancelled.
    private struct Plan {
        let number: Int
        /// After this number of calls has ended.
        let moment: Int
    }

    static func cancellation(_ context: CaseContext) async throws {
        let count = context.options.stressCalls
        var options = MockServer.Options()
        options.keepsRequests = false
        let server = try await context.serve(options: options) { _ in .text("hello") }
        var generator = SeededGenerator(seed: context.options.seed)
        let numbers = (0..<count).shuffled(using: &generator).prefix(count / 3)
        let plans = numbers.map { Plan(number: $0, moment: Int.random(in: 0...(count / 2), using: &generator)) }.sorted {
            $0.moment < $1.moment
        }
        let ended = Tally()
        let calls = try (0..<count).map { number in
            let request = try context.request(server, delivery: number % 2 == 0 ? .buffered : .streamed)
            return Task { () -> Outcome in
                defer { ended.add(1) }
                return await context.exchange(request)
            }
        }
        context.step("\(count) concurrent calls")
        try await withTaskCancellationHandler {
            for plan in plans {
                try await ended.wait { $0 >= plan.moment }
                calls[plan.number].cancel()
            }
            var outcomes: [Outcome] = []
            for call in calls { outcomes.append(await call.value) }
            judge(context, outcomes, cancelled: Set(numbers))
        } onCancel: {
            for call in calls { call.cancel() }
        }
        context.expect("a call after them", await context.exchange(try context.request(server)), body: Data("hello".utf8))
    }

    private static func judge(_ context: CaseContext, _ outcomes: [Outcome], cancelled: Set<Int>) {
        var others: [String: Int] = [:]
        for (number, outcome) in outcomes.enumerated() {
            switch outcome {
            case .answer(let answer) where answer.status == .ok && answer.body == Data("hello".utf8): continue
            case .failed(.cancelled, _) where cancelled.contains(number): continue
            default: others["\(outcome)", default: 0] += 1
            }
        }
        let words = others.sorted { $0.key < $1.key }.map { "\($0.value) times \($0.key)" }.joined(separator: "; ")
        context.expect("the calls", others.isEmpty, "responses, and cancellations of the cancelled calls", seen: words)
    }
}
