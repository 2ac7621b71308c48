import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("BodyPipe", .timeLimit(.minutes(5)))
struct BodyPipeTests {
    private typealias Demand = BodyPipe.Demand

    private func makePipe(capacity: Int = 4) -> (pipe: BodyPipe, demands: Locked<[BodyPipe.Demand]>) {
        let demands = Locked<[BodyPipe.Demand]>([])
        return (BodyPipe(capacity: capacity) { demand in demands.withLock { $0.append(demand) } }, demands)
    }

    private func offer(_ text: String, to pipe: BodyPipe) -> BodyPipe.Written {
        Array(text.utf8).withUnsafeBytes { pipe.write($0) }
    }

    /// Returns when a reader waits for bytes.
    private func waitForReader(of pipe: BodyPipe) async { while pipe.write(Data(), limit: 1) != .awaited { await Task.yield() } }

    @Test("Bytes beyond the capacity are refused, and a read that makes room resumes the producer")
    func backpressure() async throws {
        let (pipe, demands) = makePipe()
        #expect(offer("abc", to: pipe) == .stored)
        #expect(pipe.room() == 1)
        #expect(!pipe.isPaused)
        #expect(offer("de", to: pipe) == .refused)
        #expect(pipe.isPaused)
        #expect(try await pipe.next() == Data("abc".utf8))
        #expect(demands.withLock { $0 } == [.resume])
        #expect(!pipe.isPaused)
        #expect(offer("larger than the capacity", to: pipe) == .stored)
        #expect(pipe.room() == 0)
    }

    @Test("A producer that is not paused is not told to resume")
    func noNeedlessDemand() async throws {
        let (pipe, demands) = makePipe()
        #expect(offer("abcd", to: pipe) == .stored)
        #expect(try await pipe.next() == Data("abcd".utf8))
        #expect(demands.withLock { $0.isEmpty })
    }

    @Test("A producer that can't offer bytes again may exceed the capacity, up to its limit")
    func limit() async throws {
        let (pipe, demands) = makePipe()
        #expect(pipe.write(Data("abc".utf8), limit: 8) == .stored)
        #expect(pipe.room() == 1)
        #expect(pipe.write(Data("defgh".utf8), limit: 8) == .stored)
        #expect(pipe.room() == 0)
        #expect(pipe.write(Data("i".utf8), limit: 8) == .refused)
        #expect(try await pipe.next() == Data("abcdefgh".utf8))
        #expect(demands.withLock { $0 } == [.resume])
        pipe.end(.success(()))
        #expect(pipe.write(Data("late".utf8), limit: 8) == .stored)
        #expect(try await pipe.next() == nil)
    }

    @Test("A waiting read gets the bytes when they are flushed, or the end")
    func waitingRead() async throws {
        let (pipe, _) = makePipe()
        async let first = pipe.next()
        await waitForReader(of: pipe)
        #expect(offer("ab", to: pipe) == .awaited)
        pipe.flush()
        #expect(try await first == Data("ab".utf8))
        async let second = pipe.next()
        await waitForReader(of: pipe)
        pipe.end(.success(()))
        #expect(try await second == nil)
    }

    @Test("Bytes stored before an error are read first; the error is thrown on every later read")
    func failure() async throws {
        let (pipe, demands) = makePipe()
        #expect(offer("ab", to: pipe) == .stored)
        pipe.end(.failure(.timeout))
        pipe.end(.success(()))
        #expect(try await pipe.next() == Data("ab".utf8))
        for _ in 1...2 { await #expect(throws: HTTPError.timeout) { try await pipe.next() } }
        pipe.cancel(.cancelled)
        #expect(demands.withLock { $0.isEmpty })
    }

    @Test("A cancellation discards the stored bytes, stops the producer once, and is thrown by later reads")
    func cancelBefore() async {
        let (pipe, demands) = makePipe()
        #expect(offer("ab", to: pipe) == .stored)
        pipe.cancel(.timeout)
        pipe.cancel(.cancelled)
        #expect(demands.withLock { $0 } == [.cancel])
        #expect(offer("c", to: pipe) == .refused)
        #expect(pipe.room() == 0)
        #expect(pipe.write(Data("c".utf8), limit: 8) == .stored)
        for _ in 1...2 { await #expect(throws: HTTPError.timeout) { try await pipe.next() } }
    }

    @Test("A cancellation ends a waiting read without the producer")
    func cancelWhileWaiting() async throws {
        let (pipe, demands) = makePipe()
        let read = Task { try await pipe.next() }
        await waitForReader(of: pipe)
        pipe.cancel(.timeout)
        await #expect(throws: HTTPError.timeout) { try await read.value }
        #expect(demands.withLock { $0 } == [.cancel])
        let (other, stopped) = makePipe()
        let cancelled = Task { try await other.next() }
        cancelled.cancel()
        await #expect(throws: HTTPError.cancelled) { try await cancelled.value }
        #expect(stopped.withLock { $0 } == [.cancel])
    }

    @Test("Dropping the reader cancels the pipe, unless the pipe must not be touched")
    func droppedReader() async {
        let (pipe, demands) = makePipe()
        _ = PipeReader(pipe)
        #expect(demands.withLock { $0 } == [.cancel])
        let (other, untouched) = makePipe()
        let forked = PipeReader(other) { () throws(HTTPError) in throw .engineUnavailable("forked") }
        await #expect(throws: HTTPError.engineUnavailable("forked")) { try await forked.next() }
        forked.cancel(.cancelled)
        #expect(untouched.withLock { $0.isEmpty })
    }
}
