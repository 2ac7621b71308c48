import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("ClosureBodyReader", .timeLimit(.minutes(5)))
struct ClosureBodyReaderTests {
    private struct Broken: Error {}

    @Test("Empty chunks are skipped")
    func emptyChunks() async throws {
        let chunks = Locked(["", "a", "", "", "b", ""])
        let reader = ClosureBodyReader { chunks.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) } }
        #expect(try await reader.next() == Data("a".utf8))
        #expect(try await reader.next() == Data("b".utf8))
        #expect(try await reader.next() == nil)
    }

    @Test("An error of the closure ends the body: an HTTPError unchanged, any other as the underlying error")
    func errors() async throws {
        await #expect(throws: HTTPError.timeout) { try await ClosureBodyReader { throw HTTPError.timeout }.next() }
        await #expect(throws: HTTPError.cancelled) { try await ClosureBodyReader { throw CancellationError() }.next() }
        let error = try await #require(throws: HTTPError.self) { try await ClosureBodyReader { throw Broken() }.next() }
        #expect(error.underlying is Broken)
        #expect(error.stage == .body)
    }

    @Test("After a cancellation, each read throws the first reason")
    func cancelledBefore() async {
        let reader = ClosureBodyReader { Data("a".utf8) }
        reader.cancel(.timeout)
        reader.cancel(.cancelled)
        await #expect(throws: HTTPError.timeout) { try await reader.next() }
        await #expect(throws: HTTPError.timeout) { try await reader.next() }
    }

    @Test("A cancellation ends a read that waits for a closure that never returns")
    func cancelledWhileWaiting() async {
        let hasBegun = AsyncStream<Void>.makeStream(), never = AsyncStream<Void>.makeStream()
        let reader = ClosureBodyReader {
            hasBegun.continuation.yield()
            await withCheckedContinuation { continuation in
                never.continuation.onTermination = { _ in continuation.resume() }
            }
            return nil
        }
        let read = Task { try await reader.next() }
        for await _ in hasBegun.stream { break }
        reader.cancel(.timeout)
        await #expect(throws: HTTPError.timeout) { try await read.value }
        never.continuation.finish()
    }

    @Test("A read whose task is cancelled throws .cancelled, even if the closure ignores the cancellation")
    func taskCancelled() async {
        let hasBegun = AsyncStream<Void>.makeStream(), never = AsyncStream<Void>.makeStream()
        let reader = ClosureBodyReader {
            hasBegun.continuation.yield()
            await withCheckedContinuation { continuation in
                never.continuation.onTermination = { _ in continuation.resume() }
            }
            return Data("late".utf8)
        }
        let read = Task { try await reader.next() }
        for await _ in hasBegun.stream { break }
        read.cancel()
        await #expect(throws: HTTPError.cancelled) { try await read.value }
        never.continuation.finish()
    }

    @Test("A cancellation releases the objects that the closure holds")
    func cancelReleases() async throws {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let reader: ClosureBodyReader
        do {
            let token = Token()
            weakToken = token
            reader = ClosureBodyReader { Data("\(ObjectIdentifier(token))".utf8) }
        }
        #expect(weakToken != nil)
        reader.cancel(.cancelled)
        #expect(weakToken == nil)
    }
}

@Suite("IdleTimeoutReader", .timeLimit(.minutes(5)))
struct IdleTimeoutReaderTests {
    /// Starts timers, and fires them on demand.
    private final class HandTime: TimeSource {
        struct Timer: ScheduledTimer {
            let due: ContinuousClock.Instant
            let fire: @Sendable () -> Void
            let isCancelled = Locked(false)
            func cancel() { isCancelled.withLock { $0 = true } }
        }

        let now = Date(timeIntervalSince1970: 0)
        let instant = ContinuousClock.now
        let timers = Locked<[Timer]>([])

        func sleep(for duration: Duration) async throws(CancellationError) { throw CancellationError() }

        func timer(at instant: ContinuousClock.Instant, fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
            let timer = Timer(due: instant, fire: fire)
            timers.withLock { $0.append(timer) }
            return timer
        }
    }

    private let time = HandTime()

    @Test("Each chunk has its own timer, which is cancelled when the chunk arrives")
    func timers() async throws {
        let chunks = Locked(["a", "b"])
        let reader = IdleTimeoutReader(
            ClosureBodyReader { chunks.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) } }, timeout: .seconds(60), time: time,
            failure: .timeout)
        #expect(time.timers.withLock { $0.count } == 0)
        while try await reader.next() != nil {}
        let timers = time.timers.withLock { $0 }
        #expect(timers.map(\.due) == Array(repeating: time.instant + .seconds(60), count: 3))
        #expect(timers.map { $0.isCancelled.withLock { $0 } } == [true, true, true])
    }

    @Test("A read that waits as long as the timeout ends the body with the given failure")
    func silence() async {
        let hasBegun = AsyncStream<Void>.makeStream(), never = AsyncStream<Void>.makeStream()
        let failure = HTTPError.timeout(ErrorContext(detail: "no bytes for 60 s"))
        let source = ClosureBodyReader {
            hasBegun.continuation.yield()
            for await _ in never.stream {}
            return Data("late".utf8)
        }
        let reader = IdleTimeoutReader(source, timeout: .seconds(60), time: time, failure: failure)
        let read = Task { try await reader.next() }
        for await _ in hasBegun.stream { break }
        time.timers.withLock { $0.first }?.fire()
        let error = await #expect(throws: HTTPError.timeout) { try await read.value }
        #expect(error?.context.detail == "no bytes for 60 s")
    }

    @Test("Cancelling an IdleTimeoutReader cancels the reader it wraps")
    func cancelling() async {
        let reader = IdleTimeoutReader(ClosureBodyReader { nil }, timeout: .seconds(60), time: time, failure: .timeout)
        reader.cancel(.cancelled)
        await #expect(throws: HTTPError.cancelled) { try await reader.next() }
    }
}
