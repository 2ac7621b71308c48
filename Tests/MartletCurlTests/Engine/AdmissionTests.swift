import MartletHTTP
import Testing

@testable import MartletCurl

@Suite("Admission: which transfers get a connection", .timeLimit(.minutes(5)))
struct AdmissionTests {
    private func started(_ admission: Admission<String>) -> [String] {
        var names: [String] = []
        while let name = admission.next() { names.append(name) }
        return names
    }

    @Test("as many run as there may be connections to an origin; the rest go in the order in which they came")
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

    @Test("an origin that hangs holds up nobody at another")
    func otherOrigins() {
        let admission = Admission<String>(perOrigin: 1, total: 10)
        _ = admission.enter("hangs", "1")
        for number in 2...100 { #expect(admission.enter("hangs", "\(number)") != nil) }
        #expect(admission.enter("b", "b1") == nil)
        #expect(admission.enter("b", "b2") != nil)
        admission.leave("b")
        #expect(started(admission) == ["b2"])
    }

    @Test("origins that wait because of the total take turns, and no newcomer overtakes")
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

    @Test("one that waited and gave up is passed over, wherever it stood")
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

    @Test("an origin that carries many requests on one connection may have a hundred for each")
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

    @Test("a place that is free goes to one that waits for its turn, not to a newcomer at another origin")
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

    @Test("one that needs no connection of its own does not wait behind one that does")
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

    @Test("limits of nothing are none")
    func unlimited() {
        let admission = Admission<Int>(perOrigin: 0, total: -1)
        #expect((0..<5000).allSatisfy { admission.enter("a", $0) == nil })
    }
}
