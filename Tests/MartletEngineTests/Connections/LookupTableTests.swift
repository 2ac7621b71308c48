import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("LookupTable", .timeLimit(.minutes(5)))
struct LookupTableTests {
    private final class Waiter {}

    private let start = ContinuousClock.now
    private let first = Waiter(), second = Waiter()

    private func table(maxRunning: Int = 2, capacity: Int = 1000) -> LookupTable<Waiter> {
        LookupTable(maxRunning: maxRunning, capacity: capacity)
    }

    @Test("A name is looked up once for all its waiters")
    func shared() {
        var table = table()
        #expect(table.ask("a", for: first, at: start) == .pending)
        #expect(table.ask("a", for: second, at: start) == .pending)
        #expect(table.startNext() == "a" && table.startNext() == nil)
        let completed = table.complete("a", ["10.0.0.1"], at: start)
        #expect(completed.waiters.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        #expect(completed.addresses == ["10.0.0.1"])
    }

    @Test("The number of concurrent lookups is limited; the next begins when one ends")
    func bounded() {
        var table = table(maxRunning: 2)
        for name in ["a", "b", "c"] { #expect(table.ask(name, for: first, at: start) == .pending) }
        #expect(table.startNext() == "a" && table.startNext() == "b" && table.startNext() == nil)
        _ = table.complete("b", [], at: start)
        #expect(table.startNext() == "c" && table.startNext() == nil)
    }

    @Test("A result is used for five seconds, and for up to a minute while the name is looked up again")
    func ages() {
        var table = table()
        _ = table.ask("a", for: first, at: start)
        _ = table.startNext()
        _ = table.complete("a", ["10.0.0.1"], at: start)
        #expect(table.ask("a", for: first, at: start + .seconds(4)) == .known(["10.0.0.1"]))
        #expect(table.startNext() == nil)
        #expect(table.ask("a", for: first, at: start + .seconds(5)) == .known(["10.0.0.1"]))
        #expect(table.ask("a", for: first, at: start + .seconds(6)) == .known(["10.0.0.1"]))
        #expect(table.startNext() == "a" && table.startNext() == nil)
        // The lookup fails without waiters, and the stored addresses remain.
        #expect(table.complete("a", [], at: start + .seconds(7)).waiters.isEmpty)
        #expect(table.ask("a", for: first, at: start + .seconds(59)) == .known(["10.0.0.1"]))
        #expect(table.startNext() == "a")
        _ = table.complete("a", ["10.0.0.2"], at: start + .seconds(59))
        #expect(table.ask("a", for: first, at: start + .seconds(60)) == .known(["10.0.0.2"]))
        #expect(table.ask("a", for: first, at: start + .seconds(119)) == .pending)
    }

    @Test("A failure is not stored")
    func failure() {
        var table = table()
        _ = table.ask("a", for: first, at: start)
        _ = table.startNext()
        #expect(table.complete("a", [], at: start).waiters.count == 1)
        #expect(table.ask("a", for: first, at: start) == .pending)
        #expect(table.startNext() == "a")
    }

    @Test("A running lookup continues without waiters; a queued one is dropped with its last waiter")
    func abandoned() {
        var table = table(maxRunning: 1)
        for name in ["a", "b"] { _ = table.ask(name, for: first, at: start) }
        _ = table.ask("b", for: second, at: start)
        #expect(table.startNext() == "a")
        table.abandon(first, of: "a")
        table.abandon(first, of: "b")
        #expect(table.complete("a", ["10.0.0.1"], at: start).waiters.isEmpty)
        #expect(table.ask("a", for: first, at: start) == .known(["10.0.0.1"]))
        table.abandon(second, of: "b")
        table.abandon(second, of: "unknown")
        #expect(table.startNext() == nil)
    }

    @Test("Removing a waiter takes the same time for any number of waiters, and the others keep their order")
    func manyLeave() {
        var table = table()
        let waiters = (0..<100_000).map { _ in Waiter() }
        for waiter in waiters { _ = table.ask("a", for: waiter, at: start) }
        for waiter in waiters[2...].reversed() { table.abandon(waiter, of: "a") }
        #expect(table.startNext() == "a")
        #expect(table.complete("a", [], at: start).waiters.map(ObjectIdentifier.init) == waiters[..<2].map(ObjectIdentifier.init))
    }

    @Test("The number of stored names is limited, and the older ones are removed first")
    func capacity() {
        var table = table(capacity: 2)
        for (index, name) in ["a", "b", "c"].enumerated() {
            _ = table.ask(name, for: first, at: start + .seconds(3 * index))
            _ = table.startNext()
            _ = table.complete(name, ["10.0.0.1"], at: start + .seconds(3 * index))
        }
        #expect(table.ask("a", for: first, at: start + .seconds(6)) == .pending)
        #expect(table.ask("b", for: first, at: start + .seconds(6)) == .known(["10.0.0.1"]))
        #expect(table.ask("c", for: first, at: start + .seconds(6)) == .known(["10.0.0.1"]))
    }
}
