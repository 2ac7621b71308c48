import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("Admission", .timeLimit(.minutes(5)))
struct AdmissionTests {
    private func started(_ admission: Admission) -> [String] {
        var names: [String] = []
        while let next = admission.nextName() { names.append(next.item) }
        return names
    }

    @Test("The number of running requests per origin is limited, and the rest run in the order of their arrival")
    func perOrigin() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 2, total: 0))
        let tickets = ["1", "2", "3", "4", "5"].map { admission.enter("a", "\($0)").ticket }
        #expect(tickets.map { $0 == nil } == [true, true, false, false, false])
        #expect(started(admission) == [])
        admission.leave("a", on: 0)
        #expect(started(admission) == ["3"])
        admission.leave("a", on: 0)
        admission.leave("a", on: 0)
        #expect(started(admission) == ["4", "5"])
    }

    @Test("An origin that hangs delays no other origin")
    func otherOrigins() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 1, total: 10))
        _ = admission.enter("hangs", "1")
        for number in 2...100 { #expect(admission.enter("hangs", "\(number)").ticket != nil) }
        #expect(admission.enter("b", "b1").ticket == nil)
        #expect(admission.enter("b", "b2").ticket != nil)
        admission.leave("b", on: 0)
        #expect(started(admission) == ["b2"])
    }

    @Test("Origins that wait because of the total take turns, and a new one does not overtake")
    func turns() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 5, total: 1))
        #expect(admission.enter("a", "a1").ticket == nil)
        for item in ["a2", "a3", "b1", "b2", "c1"] { #expect(admission.enter(String(item.prefix(1)), item).ticket != nil) }
        var order: [String] = []
        var running = "a"
        for _ in 0..<5 {
            admission.leave(running, on: 0)
            let next = started(admission)
            #expect(next.count == 1)
            running = String(next.first?.prefix(1) ?? "")
            order += next
        }
        #expect(order == ["a2", "b1", "c1", "a3", "b2"])
    }

    @Test("A waiting request that was abandoned is skipped, at any position")
    func abandoned() throws {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 1, total: 0))
        let tickets = ["1", "2", "3", "4"].map { admission.enter("a", "\($0)").ticket }
        admission.abandon(try #require(tickets[1]))
        admission.leave("a", on: 0)
        #expect(started(admission) == ["3"])
        admission.abandon(try #require(tickets[3]))
        admission.leave("a", on: 0)
        #expect(started(admission) == [])
        #expect(admission.enter("a", "5").ticket == nil)
    }

    @Test("An origin with multiplexed connections may run a hundred requests on each")
    func multiplexed() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 2, total: 3))
        for number in 0..<500 { _ = admission.enter("a", "\(number)") }
        admission.learn("a", isMultiplexed: true)
        #expect(started(admission).count == 198)
        #expect(admission.enter("b", "b1").ticket == nil)
        #expect(admission.enter("b", "b2").ticket != nil)
        for _ in 0..<100 { admission.leave("a", on: 0) }
        #expect(started(admission) == ["b2"])
        admission.leave("b", on: 0)
        #expect(started(admission) == (200..<300).map(String.init))
    }

    @Test("A free place goes to an origin that waits for its turn, not to a new one")
    func newcomers() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 5, total: 1))
        #expect(admission.enter("a", "a1").ticket == nil)
        #expect(admission.enter("b", "b1").ticket != nil)
        admission.leave("a", on: 0)
        #expect(admission.enter("c", "c1").ticket != nil)
        #expect(started(admission) == ["b1"])
        admission.leave("b", on: 0)
        #expect(started(admission) == ["c1"])
    }

    @Test("A request that needs no new connection does not wait behind one that does")
    func freeStreams() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 5, total: 1))
        for number in 0..<100 { _ = admission.enter("a", "a\(number)") }
        admission.learn("a", isMultiplexed: true)
        #expect(started(admission).count == 99)
        #expect(admission.enter("b", "b1").ticket != nil)
        #expect(admission.enter("a", "more").ticket != nil)
        #expect(started(admission) == [])
        admission.leave("a", on: 0)
        #expect(started(admission) == ["more"])
        for _ in 0..<100 { admission.leave("a", on: 0) }
        #expect(started(admission) == ["b1"])
    }

    @Test("A limit of zero means no limit")
    func unlimited() {
        let admission = Admission(EngineDeal(engines: 1, perOrigin: 0, total: -1))
        #expect((0..<5000).allSatisfy { admission.enter("a", "\($0)").ticket == nil })
    }

    @Test("Several engines keep the limit for an origin and the total as a whole")
    func shared() {
        let admission = Admission(EngineDeal(engines: 3, perOrigin: 7, total: 10))
        let tickets = (0..<9).map { admission.enter("a", "a\($0)").ticket }
        #expect(tickets.map { $0 == nil } == [true, true, true, true, true, true, true, false, false])
        let others = (0..<4).map { admission.enter("b", "b\($0)").ticket }
        #expect(others.map { $0 == nil } == [true, true, true, false])
        #expect(admission.running.all.reduce(0, +) == 10 && started(admission) == [])
    }

    @Test("Origins take turns on the other engines while the first in turn waits for a full one")
    func turnsBesideABlockedOrigin() throws {
        let deal = EngineDeal(engines: 2, perOrigin: 1, total: 2), names = (0..<100).map { "origin\($0)" }
        let pinned = names.filter { deal.first(for: $0) == 0 }, free = names.filter { deal.first(for: $0) == 1 }
        let admission = Admission(deal)
        #expect(admission.enter(pinned[0], "hangs").ticket == nil && admission.enter(free[0], "first").ticket == nil)
        #expect(admission.enter(pinned[1], "blocked").ticket != nil)
        for number in 0..<20 { #expect(admission.enter(free[0], "backlog\(number)").ticket != nil) }
        for number in 1..<10 { #expect(admission.enter(free[number], "single\(number)").ticket != nil) }
        var order: [String] = [], running = free[0]
        for _ in 0..<10 {
            admission.leave(running, on: 1)
            let next = try #require(admission.nextName())
            #expect(next.engine == 1 && admission.nextName() == nil)
            running = next.item.hasPrefix("single") ? free[try #require(Int(next.item.dropFirst(6)))] : free[0]
            order.append(next.item)
        }
        #expect(order.filter { $0.hasPrefix("single") }.count == 9)
        admission.leave(pinned[0], on: 0)
        #expect(admission.nextName()?.item == "blocked")
    }

    @Test("A waiting request runs on whichever engine has room first", arguments: 0..<3)
    func anyEngine(engine: Int) {
        let admission = Admission(EngineDeal(engines: 3, perOrigin: 3, total: 0))
        for number in 0..<3 { #expect(admission.enter("a", "\(number)").ticket == nil) }
        #expect(admission.enter("a", "waiting").ticket != nil && !admission.hasTurns)
        admission.leave("a", on: engine)
        #expect(admission.hasTurns)
        let next = admission.nextName()
        #expect(next?.item == "waiting" && next?.engine == engine && admission.running.all == [1, 1, 1])
    }

    @Test("An origin that waits for a full engine does not delay one that may use another engine")
    func fullEngine() throws {
        let deal = EngineDeal(engines: 2, perOrigin: 1, total: 2)
        let names = (0..<20).map { "http://127.0.0.1:\(8000 + $0)" }
        let first = try #require(names.first { deal.first(for: $0) == 0 }), alike = try #require(names.last { deal.first(for: $0) == 0 })
        let other = try #require(names.first { deal.first(for: $0) == 1 }), third = try #require(names.last { deal.first(for: $0) == 1 })
        try #require(first != alike && other != third)
        let admission = Admission(deal)
        #expect(admission.enter(first, "1").ticket == nil && admission.enter(other, "2").ticket == nil)
        #expect(admission.enter(alike, "3").ticket != nil && admission.enter(third, "4").ticket != nil)
        admission.leave(other, on: 1)
        #expect(started(admission) == ["4"])
        admission.leave(first, on: 0)
        #expect(started(admission) == ["3"])
    }

    @Test("HTTP/2 requests are dealt to several engines, each with a connection of its own")
    func multiplexedEngines() {
        let admission = Admission(EngineDeal(engines: 3, perOrigin: 3, total: 3))
        for number in 0..<400 { _ = admission.enter("a", "\(number)") }
        admission.learn("a", isMultiplexed: true)
        while admission.nextName() != nil {}
        #expect(admission.running.all == [100, 100, 100])
        admission.leave("a", on: 1)
        #expect(admission.nextName()?.engine == 1)
    }

    @Test("The requests to an origin with HTTP/2 stay on one engine until its connection is full")
    func oneConnection() {
        let admission = Admission(EngineDeal(engines: 2, perOrigin: 64, total: 512))
        _ = admission.enter("a", "0")
        admission.learn("a", isMultiplexed: true)
        for number in 1..<100 { _ = admission.enter("a", "\(number)") }
        #expect(admission.running.all.sorted() == [0, 100])
        _ = admission.enter("a", "100")
        #expect(admission.running.all.sorted() == [1, 100])
    }
}

extension Admission.Entry {
    fileprivate var ticket: Admission.Ticket? {
        switch self {
        case .admitted: nil
        case .waiting(let ticket): ticket
        }
    }
}

/// A request that is known by its name.
private final class Named: AdmittedWork {
    let name: String

    init(_ name: String) { self.name = name }
}

extension Admission {
    fileprivate func enter(_ origin: String, _ name: String) -> Entry { enter(origin, Named(name)) }

    fileprivate func nextName() -> (item: String, engine: Int)? { next().map { (($0.item as? Named)?.name ?? "", $0.engine) } }
}
