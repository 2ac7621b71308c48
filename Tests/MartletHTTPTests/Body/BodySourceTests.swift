import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct BodySourceTests {
    private func body(_ opened: Locked<Int>) -> HTTPBody {
        HTTPBody(length: 4) { () throws(HTTPError) in
            opened.withLock { $0 += 1 }
            return DataReader(Data("abcd".utf8))
        }
    }

    @Test("A body that creates its chunks again can be read, peeked at and collected repeatedly")
    func replays() async throws {
        let opened = Locked(0), body = body(opened)
        #expect(body.isReplayable && body.buffered == nil && body.length == 4)
        #expect(try await body.peek(upTo: 2) == Data("ab".utf8))
        for _ in 0..<2 { #expect(try await body.collect() == Data("abcd".utf8)) }
        #expect(opened.withLock { $0 } == 3)
    }

    @Test("Nothing is created before reading, and an error of creating the reader is thrown by the read")
    func lazily() async throws {
        let opened = Locked(0)
        _ = body(opened).makeAsyncIterator()
        #expect(opened.withLock { $0 } == 0)
        let failing = HTTPBody { () throws(HTTPError) -> any HTTPBodyReader in throw .timeout }
        await #expect(throws: HTTPError.timeout) { try await failing.collect() }
    }

    @Test("A body observer learns the length at the start and each piece when it is taken, for each reading")
    func observed() async throws {
        let told = Locked<[String]>([])
        let observer = BodyObserver(
            began: { length in told.withLock { $0.append("began \(length ?? -1)") } },
            took: { count in told.withLock { $0.append("\(count)") } })
        let data = Data(count: 100_000)
        let bodies: [HTTPBody] = [HTTPBody(data), body(Locked(0)), HTTPBody(reader: DataReader(data))]
        for body in bodies { #expect(try await body.observed(by: observer).collect().count == (body.length ?? 100_000)) }
        #expect(told.withLock { $0 } == ["began 100000", "65536", "34464", "began 4", "4", "began -1", "65536", "34464"])
    }

    @Test("Peeked bytes of a stream reach an observed body, and the stream can't be sent twice")
    func peeked() async throws {
        let body = HTTPBody(reader: DataReader(Data("abcd".utf8)))
        #expect(try await body.peek(upTo: 2) == Data("ab".utf8))
        let observer = BodyObserver(began: { _ in }, took: { _ in })
        #expect(try await body.observed(by: observer).collect() == Data("abcd".utf8))
        await #expect(throws: HTTPError.bodyNotReplayable("the body is a stream and has been read already")) {
            try await body.observed(by: observer).collect()
        }
    }

    @Test("A released reader returns the peeked bytes first and then the end of the stream", arguments: [1, 4, 9])
    func takenOver(count: Int) async throws {
        let pieces = Locked<[Data]>([Data("cd".utf8), Data("ab".utf8)])
        let stream = BodyStream(ClosureBodyReader { pieces.withLock { $0.popLast() } })
        #expect(try await stream.peek(upTo: count) == Data("abcd".utf8).prefix(count))
        #expect(try await HTTPBody(reader: stream.releaseReader()).collect() == Data("abcd".utf8))
        await #expect(throws: HTTPError.self) { try await stream.next() }
    }
}
