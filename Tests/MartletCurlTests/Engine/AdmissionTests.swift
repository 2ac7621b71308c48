import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("Admission", .timeLimit(.minutes(5)))
struct AdmissionTests {
    private func started(_ admission: Admission<String>) -> [String] {
        var names: [String] = []
        while let name = admission.next() { names.append(name) }
        return names
    }

    @Test("The number of running requests per origin is limited, and the rest run in the order of their arrival")
    func perOrigin() {
        let admission = Admission<String>(perOrigin: 2, total: 0)
        let tickets = ["1", "2", "3", "4", "5"].map { admission.enter("a", $0) }
        #expect(tickets.map { $0 == nil } == [true, true, false, false, false])
        #expect(started(admission) == [])
        admission.leave("a")
        #expect(started(admission) == ["3"])
        admission.leave("a")
        admission.leave("a")
        #expect(started(admission) == ["4", "5"])
    }

    @Test("An origin that hangs delays no other origin")
    func otherOrigins() {
        let admission = Admission<String>(perOrigin: 1, total: 10)
        _ = admission.enter("hangs", "1")
        for number in 2...100 { #expect(admission.enter("hangs", "\(number)") != nil) }
        #expect(admission.enter("b", "b1") == nil)
        #expect(admission.enter("b", "b2") != nil)
        admission.leave("b")
        #expect(started(admission) == ["b2"])
    }

    @Test("Origins that wait because of the total take turns, and a new one does not overtake")
    func turns() {
        let admission = Admission<String>(perOrigin: 5, total: 1)
        #expect(admission.enter("a", "a1") == nil)
        for item in ["a2", "a3", "b1", "b2", "c1"] { #expect(admission.enter(String(item.prefix(1)), item) != nil) }
        var order: [String] = []
        var running = "a"
        for _ in 0..<5 {
            admission.leave(running)
            let next = started(admission)
            #expect(next.count == 1)
            running = String(next.first?.prefix(1) ?? "")
            order += next
        }
        #expect(order == ["a2", "b1", "c1", "a3", "b2"])
    }

    @Test("A waiting request that was abandoned is skipped, at any position")
    func abandoned() throws {
        let admission = Admission<String>(perOrigin: 1, total: 0)
        let tickets = ["1", "2", "3", "4"].map { admission.enter("a", $0) }
        admission.abandon(try #require(tickets[1]))
        admission.leave("a")
        #expect(started(admission) == ["3"])
        admission.abandon(try #require(tickets[3]))
        admission.leave("a")
        #expect(started(admission) == [])
        #expect(admission.enter("a", "5") == nil)
    }

    @Test("An origin with multiplexed connections may run a hundred requests on each")
    func multiplexed() {
        let admission = Admission<String>(perOrigin: 2, total: 3)
        for number in 0..<500 { _ = admission.enter("a", "\(number)") }
        admission.learn("a", isMultiplexed: true)
        #expect(started(admission).count == 198)
        #expect(admission.enter("b", "b1") == nil)
        #expect(admission.enter("b", "b2") != nil)
        for _ in 0..<100 { admission.leave("a") }
        #expect(started(admission) == ["b2"])
        admission.leave("b")
        #expect(started(admission) == (200..<300).map(String.init))
    }

    @Test("A free place goes to an origin that waits for its turn, not to a new one")
    func newcomers() {
        let admission = Admission<String>(perOrigin: 5, total: 1)
        #expect(admission.enter("a", "a1") == nil)
        #expect(admission.enter("b", "b1") != nil)
        admission.leave("a")
        #expect(admission.enter("c", "c1") != nil)
        #expect(started(admission) == ["b1"])
        admission.leave("b")
        #expect(started(admission) == ["c1"])
    }

    @Test("A request that needs no new connection does not wait behind one that does")
    func freeStreams() {
        let admission = Admission<String>(perOrigin: 5, total: 1)
        for number in 0..<100 { _ = admission.enter("a", "a\(number)") }
        admission.learn("a", isMultiplexed: true)
        #expect(started(admission).count == 99)
        #expect(admission.enter("b", "b1") != nil)
        #expect(admission.enter("a", "more") != nil)
        #expect(started(admission) == [])
        admission.leave("a")
        #expect(started(admission) == ["more"])
        for _ in 0..<100 { admission.leave("a") }
        #expect(started(admission) == ["b1"])
    }

    @Test("A limit of zero means no limit")
    func unlimited() {
        let admission = Admission<Int>(perOrigin: 0, total: -1)
        #expect((0..<5000).allSatisfy { admission.enter("a", $0) == nil })
    }
}
