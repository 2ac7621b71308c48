import MartletHTTP
import MartletSystem
import MartletTesting
import Testing

@Suite("Racing an operation against a timer", .timeLimit(.minutes(5)))
struct RaceTests {
    private let starts = Locked(0)

    private func run(_ operation: @escaping @Sendable () async throws(HTTPError) -> Int) async throws(HTTPError) -> Int {
        try await race(
            operation,
            against: { fire in
                self.starts.withLock { $0 += 1 }
                return ManualTime().timer(at: .now, fire: fire)
            }, timeout: { ErrorContext() })
    }

    @Test("An operation that does not suspend returns its value or throws its error")
    func immediate() async throws {
        #expect(try await run { () throws(HTTPError) in 7 } == 7)
        await #expect(throws: HTTPError.cancelled) { try await run { () throws(HTTPError) in throw .cancelled } }
    }

    #if !canImport(Darwin)
    @Test("An operation that does not suspend starts no timer")
    func noTimer() async throws {
        _ = try await run { () throws(HTTPError) in 7 }
        #expect(starts.withLock { $0 } == 0)
    }
    #endif

    @Test("An operation that suspends runs against a timer")
    func waiting() async throws {
        #expect(
            try await run { () throws(HTTPError) in
                while starts.withLock({ $0 }) == 0 { await Task.yield() }
                return 8
            } == 8)
    }

    @Test("In a cancelled task, the operation does not start")
    func cancelled() async {
        let hasBegun = Locked(false)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await run { () throws(HTTPError) in
                hasBegun.withLock { $0 = true }
                return 7
            }
        }
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(!hasBegun.withLock { $0 })
    }
}
