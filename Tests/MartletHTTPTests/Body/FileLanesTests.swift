import Dispatch
import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("FileLanes", .timeLimit(.minutes(5)))
struct FileLanesTests {
    private let time = ManualTime(autoAdvances: false)

    @Test("Work beyond the lanes waits for a free one; if none becomes free, new work is refused until one does")
    func hanging() async throws {
        let lanes = FileLanes(limit: 2, time: time), gates = (0..<2).map { _ in DispatchSemaphore(value: 0) }
        defer { for gate in gates { gate.signal() } }
        for gate in gates {
            let hasBegun = OneShot<Void>()
            lanes.post {
                hasBegun.set(())
                gate.wait()
            }
            // Work that begins after the advance would make the lanes responsive again.
            await hasBegun.value()
        }
        let waited = OneShot<Void>()
        lanes.post { waited.set(()) }
        #expect(lanes.waitingCount == 1 && lanes.refusal == nil)
        time.advance(by: FileLanes.patience)
        let error = await #expect(throws: HTTPError.self) { try await lanes.run { 1 } }
        guard case .invalidRequest(let why)? = error else { Issue.record("\(String(describing: error))"); return }
        #expect(why.text.contains("2 files have not responded"))
        let file = LaneFile(FileBody(hangingAt: "/none", length: 1), lanes: lanes), refused = OneShot<Bool>()
        file.use { result in if case .failure = result { refused.set(true) } else { refused.set(false) } }
        #expect(await refused.value())
        gates[0].signal()
        await waited.value()
        #expect(lanes.refusal == nil)
        #expect(try await lanes.run { 7 } == 7)
    }

    @Test("Each piece of work in a long turn of one file shows that the file system responds")
    func turns() async throws {
        let lanes = FileLanes(limit: 1, time: time), file = lanes.makeLane(), gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let slow = file.begin(refused: { _ in HTTPError.cancelled }) { [time] () throws(HTTPError) in time.advance(by: FileLanes.patience) }
        // The turn continues, so the only lane stays occupied.
        file.post { gate.wait() }
        try await slow.value()
        #expect(lanes.refusal == nil)
        time.advance(by: FileLanes.patience)
        #expect(lanes.refusal != nil)
    }

    @Test("Work that waited and ended leaves no reference")
    func memory() async throws {
        final class Content: Sendable {}
        let lanes = FileLanes(limit: 1, time: time), gate = DispatchSemaphore(value: 0)
        lanes.post { gate.wait() }
        weak var last: Content?
        for _ in 0..<3 {
            let content = Content()
            last = content
            lanes.post { withExtendedLifetime(content) {} }
        }
        #expect(last != nil)
        gate.signal()
        // The only lane is free again, so the work before has ended.
        #expect(try await lanes.run { 1 } == 1)
        #expect(try await lanes.run { 2 } == 2)
        #expect(last == nil)
    }

    @Test("A file that was never opened is closed without work, also while no lane is free")
    func unopened() {
        let lanes = FileLanes(limit: 1, time: time), gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        lanes.post { gate.wait() }
        LaneFile(FileBody(hangingAt: "/none", length: 1), lanes: lanes).close()
        #expect(lanes.waitingCount == 0)
    }

    @Test("A file uses one lane for all its jobs, which run in order")
    func oneLane() async {
        let lanes = FileLanes(limit: 1, time: time), gate = DispatchSemaphore(value: 0), order = Recorder<Int>()
        lanes.post { gate.wait() }
        let file = LaneFile(FileBody(hangingAt: "/none", length: 1), lanes: lanes), ended = OneShot<Void>()
        for number in 0..<10 {
            file.use { _ in
                order.append(number)
                if number == 9 { ended.set(()) }
            }
        }
        file.close()
        #expect(lanes.waitingCount == 1)
        gate.signal()
        await ended.value()
        #expect(order.values == Array(0..<10))
    }
}
