import Foundation
import MartletHTTP
import MartletWebSocketProtocol
import Testing

@testable import MartletWebSocket

/// Who writes what a WebSocket sends, and who waits for it.
@Suite("FrameOutput", .timeLimit(.minutes(5)))
struct FrameOutputTests {
    private static let lost = HTTPError.connectionLost

    /// The output with its connection, which takes everything.
    private final class Bench {
        var output = FrameOutput(WebSocketConnectionMachine(role: .server), maxUnsentBytes: 100)

        /// Sends so many bytes. Returns the sender if it waits, and who writes.
        func send(_ count: Int) throws -> (sender: FrameOutput.Sender?, writing: FrameOutput.Writing) {
            guard case .queued(let sender, let writing) = output.send(.data(Data(count: count))) else { throw FrameOutputTests.lost }
            return (sender, writing)
        }

        /// Takes the next bytes to write, and returns their number and that of their senders; nil if the output is empty.
        func write() -> [Int]? {
            guard case .write(let bytes, let senders) = output.next().next else { return nil }
            return [bytes.count, senders.count]
        }

        /// Tries to send so many bytes, and returns the sender that waits for room.
        func crowd(_ count: Int) -> FrameOutput.Sender? {
            if case .full(let sender) = output.send(.data(Data(count: count))) { sender } else { nil }
        }

        /// Goes on, and returns the senders for which there is room.
        func next() -> [FrameOutput.Sender] { output.next().admitted }

        func leaveCrowd(_ sender: FrameOutput.Sender) -> FrameOutput.Sender? { output.leaveCrowd(sender) }
        func begin() -> Bool { output.begin() }
        func block(_ senders: [FrameOutput.Sender]) -> [FrameOutput.Sender] { output.block(senders) }
        func release() -> [FrameOutput.Sender] { output.release() }
        func ping() -> Bool { output.machine.ping() }
        func receive() -> WebSocketEvent? { output.machine.next() }
    }

    private let bench = Bench()

    /// The bytes of a client's frame with a mask of zeros.
    private static func frame(_ opcode: UInt8) -> Data { Data([0x80 | opcode, 0x80, 0, 0, 0, 0]) }

    @Test("The first message is written immediately, and the next ones together")
    func burst() throws {
        #expect(try bench.send(10).writing == .now)
        #expect(try bench.send(10).writing == .underWay)
        #expect(try bench.send(10).writing == .underWay)
        #expect(bench.write() == [36, 0])
        #expect(bench.write() == nil)
        #expect(try bench.send(10).writing == .later)
        #expect(try bench.send(10).writing == .underWay)
        #expect(bench.write() == [24, 0])
    }

    @Test("A reply to a message does not wait for other messages")
    func reply() throws {
        #expect(try bench.send(10).writing == .now)
        #expect(bench.write() == [12, 0])
        #expect(bench.write() == nil)
        bench.output.received(FrameOutputTests.frame(0xA))
        #expect(try bench.send(10).writing == .now)
    }

    @Test("A message waits if more than the limit is unsent, and is then written without delay")
    func limit() throws {
        #expect(try bench.send(98).sender == nil)
        let second = try bench.send(1)
        #expect(second.sender != nil)
        #expect(bench.write() == [103, 1])
        // It is being written: its bytes count.
        #expect(try bench.send(1).sender != nil)
        #expect(bench.write() == [3, 1])
        #expect(bench.write() == nil)
        let third = try bench.send(101)
        #expect(third.sender != nil)
        #expect(third.writing == .now)
    }

    @Test("No message is added while more than 64 KiB wait: cancelled sends cost no memory")
    func crowd() throws {
        _ = try bench.send(70_000)
        let first = try #require(bench.crowd(1)), second = try #require(bench.crowd(1))
        #expect(bench.output.machine.outputBytes == 70_010)
        #expect(bench.leaveCrowd(first) == nil)
        // As much is still being written.
        #expect(bench.next().isEmpty)
        #expect(bench.next().map(ObjectIdentifier.init) == [ObjectIdentifier(second)])
        #expect(bench.crowd(1) == nil)
    }

    @Test("Messages that did not fit are admitted in order, as many as fit, and later ones wait behind them")
    func admission() throws {
        _ = try bench.send(70_000)
        let crowd = try (1...4).map { _ in try #require(bench.crowd(40_000)) }
        #expect(bench.next().isEmpty)
        #expect(bench.next().map(ObjectIdentifier.init) == crowd.prefix(2).map(ObjectIdentifier.init))
        let late = try #require(bench.crowd(1))
        guard case .queued = bench.output.send(.data(Data(count: 40_000)), isAdmitted: true) else { throw FrameOutputTests.lost }
        // The other one was cancelled as it was admitted: the next one takes its place.
        #expect(bench.leaveCrowd(crowd[1]) === crowd[2])
        #expect(bench.leaveCrowd(late) == nil)
        bench.output.fail(FrameOutputTests.lost)
        #expect(bench.next().map(ObjectIdentifier.init) == [ObjectIdentifier(crowd[3])])
    }

    @Test("After a Close frame no message waits for room")
    func crowdAfterClose() throws {
        _ = try bench.send(70_000)
        let crowd = try (1...2).map { _ in try #require(bench.crowd(100_000)) }
        bench.output.machine.close(code: .normalClosure)
        guard case .refused = bench.output.send(.text("late")) else { throw FrameOutputTests.lost }
        #expect(bench.next().map(ObjectIdentifier.init) == crowd.map(ObjectIdentifier.init))
        guard case .refused = bench.output.send(.text("late"), isAdmitted: true) else { throw FrameOutputTests.lost }
    }

    @Test("A release resumes the senders whose messages did not fit")
    func releaseOfCrowd() throws {
        _ = try bench.send(70_000)
        let sender = try #require(bench.crowd(1))
        #expect(bench.release().contains { $0 === sender })
    }

    @Test("One task writes until the output is empty")
    func oneWriter() {
        #expect(bench.begin())
        #expect(!bench.begin())
        #expect(bench.ping())
        #expect(bench.write() == [2, 0])
        #expect(!bench.begin())
        #expect(bench.write() == nil)
        #expect(bench.begin())
    }

    @Test("After a failure nothing is written, and senders learn it")
    func failure() throws {
        let sender = try #require(try bench.send(101).sender)
        #expect(bench.write() == [103, 1])
        let waiting = try #require(try bench.send(101).sender)
        bench.output.fail(FrameOutputTests.lost)
        guard case .stop(let senders, let failure) = bench.output.next().next else { throw FrameOutputTests.lost }
        #expect(senders.map(ObjectIdentifier.init) == [ObjectIdentifier(waiting)])
        #expect(sender !== waiting)
        #expect(failure == FrameOutputTests.lost)
        guard case .failed(FrameOutputTests.lost) = bench.output.send(.text("late")) else { throw FrameOutputTests.lost }
        #expect(!bench.output.awaitsClose)
    }

    @Test("A release returns the senders that wait, and later ones do not wait")
    func release() throws {
        let written = try #require(try bench.send(101).sender)
        guard case .write(_, let senders) = bench.output.next().next else { throw FrameOutputTests.lost }
        #expect(bench.block(senders).isEmpty)
        let waiting = try #require(try bench.send(1).sender)
        #expect(bench.release().map(ObjectIdentifier.init) == [waiting, written].map(ObjectIdentifier.init))
        #expect(bench.block([written]).count == 1)
        guard case .refused = bench.output.send(.text("late")) else { throw FrameOutputTests.lost }
    }

    @Test("The connection is done when the output is written and the server has closed")
    func done() throws {
        bench.output.machine.close(code: .normalClosure)
        #expect(bench.begin())
        #expect(bench.release().isEmpty)
        #expect(!bench.output.isDone)
        #expect(bench.write() == [4, 0])
        #expect(bench.write() == nil)
        #expect(bench.output.awaitsClose)
        #expect(!bench.output.isDone)
        bench.output.received(FrameOutputTests.frame(0x8))
        #expect(bench.receive() == .close(nil, reason: ""))
        #expect(bench.output.isDone)
    }

    @Test("Without a Close frame the connection is done as soon as no task writes")
    func doneWithoutClose() throws {
        #expect(!bench.output.isDone)
        _ = try bench.send(1)
        _ = bench.release()
        #expect(!bench.output.isDone)
        #expect(bench.write() == [3, 0])
        #expect(bench.write() == nil)
        #expect(bench.output.isDone)
    }

    @Test("No message follows a Close frame")
    func afterClose() throws {
        bench.output.machine.close(code: .goingAway)
        guard case .refused = bench.output.send(.text("late")) else { throw FrameOutputTests.lost }
    }
}
