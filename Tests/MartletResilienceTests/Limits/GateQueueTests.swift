import MartletTesting
import Testing

@testable import MartletResilience

@Suite("GateQueue", .timeLimit(.minutes(5)))
struct GateQueueTests {
    private let start = ContinuousClock.now

    @Test("Requests are admitted in the order of their arrival, and a request that left is skipped")
    func order() {
        var queue = GateQueue(PlaceGate(.fixed(1)), maxWaiting: 10)
        #expect(queue.arrive(at: start, latest: nil) == .admitted)
        for number in 1...3 { #expect(queue.arrive(at: start, latest: nil) == .waiting(number)) }
        #expect(queue.leave(2) && !queue.leave(2))
        #expect(queue.admit(at: start).numbers.isEmpty)
        queue.gate.finish(.none, after: .zero, at: start)
        #expect(queue.admit(at: start).numbers == [1])
        queue.gate.finish(.none, after: .zero, at: start)
        #expect(queue.admit(at: start).numbers == [3] && queue.count == 0 && !queue.leave(3))
    }

    @Test("A full queue rejects, and so does a wait that is known to be too long")
    func rejections() {
        var queue = GateQueue(TokenGate(.perSecond(1)), maxWaiting: 2)
        #expect(queue.arrive(at: start, latest: start) == .admitted)
        #expect(
            queue.arrive(at: start, latest: start + .seconds(1)) == .rejected(.waitIsTooLong, earliest: start + .seconds(1)))
        #expect(queue.arrive(at: start, latest: start + .seconds(2)) == .waiting(1))
        #expect(queue.arrive(at: start, latest: start + .seconds(3)) == .waiting(2))
        #expect(queue.arrive(at: start, latest: nil) == .rejected(.queueIsFull, earliest: start + .seconds(3)))
        #expect(queue.admit(at: start + .seconds(1)) == ([1], start + .seconds(2)))
    }

    @Test("In any sequence, at most the limit runs, and nobody overtakes", arguments: 0..<60)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...5, using: &generator)
        var queue = GateQueue(PlaceGate(.fixed(limit)), maxWaiting: 20)
        var running = 0, waiting: [Int] = []
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                switch queue.arrive(at: start, latest: nil) {
                case .admitted:
                    #expect(waiting.isEmpty)
                    running += 1
                case .waiting(let number): waiting.append(number)
                case .rejected: #expect(waiting.count == 20)
                }
            case 2 where running > 0:
                running -= 1
                queue.gate.finish(.none, after: .zero, at: start)
            case 3 where !waiting.isEmpty:
                let isWaiting = queue.leave(waiting.remove(at: Int.random(in: waiting.indices, using: &generator)))
                #expect(isWaiting)
            default: break
            }
            let admitted = queue.admit(at: start).numbers
            #expect(admitted == Array(waiting.prefix(admitted.count)))
            waiting.removeFirst(admitted.count)
            running += admitted.count
            #expect(running <= limit && running == queue.gate.running && queue.count == waiting.count)
            #expect(waiting.isEmpty || running == limit)
        }
    }
}
