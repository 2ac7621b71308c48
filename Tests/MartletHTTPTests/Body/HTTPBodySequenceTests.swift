import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@Suite("Bodies from sequences", .timeLimit(.minutes(5)))
struct HTTPBodySequenceTests {
    struct Broken: Error {}

    /// Counts the requested chunks.
    private func counted(_ chunks: [Data], _ count: Locked<Int>) -> AsyncStream<Data> {
        AsyncStream {
            count.withLock { count in
                count += 1
                return count <= chunks.count ? chunks[count - 1] : nil
            }
        }
    }

    private let chunks = ["one", "two", "three"].map { Data($0.utf8) }

    @Test("Chunks of Data, arrays and slices arrive unchanged, without empty ones")
    func elements() async throws {
        #expect(try await HTTPBody(AsyncStream(chunks: chunks)).collect() == Data("onetwothree".utf8))
        #expect(try await HTTPBody(AsyncStream(chunks: [[1, 2], [], [3] as [UInt8]])).collect() == Data([1, 2, 3]))
        #expect(try await HTTPBody(AsyncStream(chunks: [[0, 1, 2, 3][1...2] as ArraySlice<UInt8>])).collect() == Data([1, 2]))
        #expect(try await HTTPBody(AsyncStream(chunks: [Data]())).collect().isEmpty)
    }

    @Test("Single bytes are collected into chunks of 16 KiB, and the last has the rest")
    func singleBytes() async throws {
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        var sizes: [Int] = [], all = Data()
        for try await chunk in HTTPBody(AsyncStream(chunks: bytes)) {
            sizes.append(chunk.count)
            all.append(chunk)
        }
        #expect(sizes == [16_384, 16_384, 7232])
        #expect(all == Data(bytes))
        #expect(try await HTTPBody { AsyncStream(chunks: [UInt8]()) }.collect().isEmpty)
    }

    @Test("A chunk is requested when the last one has been taken, and not earlier")
    func demand() async throws {
        let count = Locked(0)
        var iterator = HTTPBody(counted(chunks, count)).makeAsyncIterator()
        #expect(count.withLock { $0 } == 0)
        for number in 1...3 {
            _ = try await iterator.next()
            #expect(count.withLock { $0 } == number)
        }
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(count.withLock { $0 } == 4)
    }

    @Test("A sequence is read once; a replayable one can be read repeatedly")
    func replaying() async throws {
        let once = HTTPBody(AsyncStream(chunks: chunks), length: 11)
        #expect(!once.isReplayable && once.length == 11)
        _ = try await once.collect()
        await #expect(throws: HTTPError.self) { try await once.collect() }
        let made = Locked(0)
        let anew = HTTPBody {
            made.withLock { $0 += 1 }
            return AsyncStream(chunks: chunks)
        }
        #expect(anew.isReplayable && anew.length == nil)
        for _ in 0..<3 { #expect(try await anew.collect() == Data("onetwothree".utf8)) }
        #expect(made.withLock { $0 } == 3)
        let again = HTTPBody(Repeating(chunks: chunks), replayable: true)
        for _ in 0..<3 { #expect(try await again.collect() == Data("onetwothree".utf8)) }
        let single = HTTPBody(replayable: false) { AsyncStream(chunks: chunks) }
        #expect(!single.isReplayable)
    }

    @Test("An error of the sequence or of creating it ends the body permanently")
    func errors() async throws {
        let failing = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(chunks[0])
            continuation.finish(throwing: Broken())
        }
        var iterator = HTTPBody(failing).makeAsyncIterator()
        #expect(try await iterator.next() == chunks[0])
        for _ in 0..<2 {
            do {
                _ = try await iterator.next()
                Issue.record("no error")
            } catch { #expect(error.underlying is Broken) }
        }
        let unmade = HTTPBody { () async throws -> AsyncStream<Data> in throw HTTPError.invalidRequest("not today") }
        await #expect(throws: HTTPError.invalidRequest("not today")) { try await unmade.collect() }
    }

    @Test("Cancelling the reader cancels the sequence's task")
    func cancelling() async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let body = HTTPBody(replayable: false) {
            AsyncStream<Data> {
                ask.yield()
                return await withTaskCancellationHandler {
                    // The sequence yields nothing until the task is cancelled.
                    let never = AsyncStream<Void> { _ in }
                    for await _ in never {}
                    return nil
                } onCancel: {
                    end.finish()
                }
            }
        }
        let task = Task { try await body.collect() }
        for await _ in asked { break }
        task.cancel()
        for await _ in ended {}
        await #expect(throws: HTTPError.cancelled) { try await task.value }
    }
}

/// A sequence that starts from the beginning for each iterator.
private struct Repeating: AsyncSequence, Sendable {
    let chunks: [Data]
    func makeAsyncIterator() -> AsyncStream<Data>.Iterator { AsyncStream(chunks: chunks).makeAsyncIterator() }
}
