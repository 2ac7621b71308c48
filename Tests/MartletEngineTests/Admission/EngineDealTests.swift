import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("EngineDeal", .timeLimit(.minutes(5)))
struct EngineDealTests {
    private func counts(_ numbers: [Int]) -> EngineCounts {
        var counts = EngineCounts(engines: numbers.count)
        for (engine, number) in numbers.enumerated() { counts[engine] = number }
        return counts
    }

    private func engine(
        from first: Int, preferring preferred: Int? = nil, running: [Int], load: [Int]? = nil, full: Set<Int> = [], perOrigin: Int = 0
    ) -> Int? {
        let deal = EngineDeal(engines: running.count, perOrigin: perOrigin, total: 0)
        return deal.engine(
            from: first, preferring: preferred, running: counts(running), load: counts(load ?? running), hasRoom: { !full.contains($0) })
    }

    @Test("An origin's requests fill its first engine, then the next ones in order")
    func fills() {
        #expect(engine(from: 1, running: [0, 0, 0]) == 1)
        #expect(engine(from: 1, running: [0, EngineDeal.fill - 1, 0]) == 1)
        #expect(engine(from: 1, running: [0, EngineDeal.fill, 0]) == 2)
        #expect(engine(from: 1, running: [0, EngineDeal.fill, EngineDeal.fill]) == 0)
        #expect(engine(from: 1, running: [0, 5, 0], full: [1]) == 2)
    }

    @Test("When all engines have many of an origin's requests, the one with the fewest of all requests gets the next")
    func leastLoaded() {
        #expect(engine(from: 0, running: [40, 50, 60], load: [90, 50, 70]) == 1)
        #expect(engine(from: 2, running: [40, 40, 40], load: [70, 60, 60]) == 2)
        #expect(engine(from: 0, running: [40, 50, 60], load: [90, 50, 70], full: [1]) == 2)
        #expect(engine(from: 0, running: [40, 40, 40], full: [0, 1, 2]) == nil)
    }

    @Test("An origin with a limit below the number of engines uses that many of them, from its first one on")
    func span() {
        #expect(engine(from: 2, running: [0, 0, 1], full: [2], perOrigin: 2) == 0)
        #expect(engine(from: 2, running: [1, 0, 1], full: [2, 0], perOrigin: 2) == nil)
    }

    @Test("The preferred engine gets a request unless it is full or the origin may not use it")
    func preferred() {
        #expect(engine(from: 0, preferring: 2, running: [0, 0, 90]) == 2)
        #expect(engine(from: 0, preferring: 2, running: [0, 0, 90], full: [2]) == 0)
        #expect(engine(from: 2, preferring: 0, running: [0, 0, 0], perOrigin: 2) == 0)
        #expect(engine(from: 2, preferring: 1, running: [0, 0, 0], perOrigin: 2) == 2)
        #expect(engine(from: 0, preferring: 0, running: [40]) == 0)
    }

    @Test("The shares of the engines add up to the limits, and none is zero")
    func shares() {
        for engines in 1...9 {
            for limit in [1, 2, 3, 7, 64, 128, 512] {
                let deal = EngineDeal(engines: engines, perOrigin: limit, total: limit, idle: limit)
                #expect(deal.shares.map(\.total).reduce(0, +) == limit && deal.shares.map(\.idle).reduce(0, +) == limit)
                // An origin's part counts on the engines that it may use.
                #expect(deal.shares.prefix(deal.span).map(\.perOrigin).reduce(0, +) == limit)
                #expect(deal.engines == min(engines, limit) && deal.shares.allSatisfy { $0.capacity > 0 && $0.idle > 0 })
            }
        }
    }

    @Test("A limit for an origin below the number of engines gives each engine one connection to it")
    func smallLimit() {
        let deal = EngineDeal(engines: 3, perOrigin: 2, total: 0)
        #expect(deal.shares.map(\.perOrigin) == [1, 1, 1] && deal.span == 2)
    }

    @Test("No limit stays no limit")
    func unlimited() {
        let deal = EngineDeal(engines: 3, perOrigin: 0, total: -1)
        #expect(deal.shares.allSatisfy { $0.perOrigin == .max && $0.total == .max } && deal.span == 3)
    }

    @Test("There is at least one engine, and no more than the limits allow with a connection for each")
    func engines() {
        var configuration = TransportConfiguration()
        for (wanted, total, idle, engines) in [
            (0, 512, 128, 1), (-3, 0, 128, 1), (8, 3, 128, 3), (8, 0, 2, 2), (8, 0, 0, 1), (8, 512, 128, 8),
        ] {
            (configuration.engines, configuration.maxConnections, configuration.maxIdleConnections) = (wanted, total, idle)
            #expect(EngineDeal(configuration).engines == engines)
        }
    }

    @Test("Origins spread over the engines, and each has the same first engine every time")
    func firsts() {
        let deal = EngineDeal(engines: 8, perOrigin: 64, total: 512)
        let firsts = (0..<64).map { deal.first(for: "https://service\($0).example") }
        #expect(firsts == (0..<64).map { deal.first(for: "https://service\($0).example") })
        for engine in 0..<8 { #expect((1...20).contains(firsts.count { $0 == engine })) }
        #expect(Set((0..<9).map { deal.first(for: "http://127.0.0.1:808\($0)") }).count > 3)
        #expect(EngineDeal(engines: 1, perOrigin: 1, total: 1).first(for: "https://service1.example") == 0)
    }
}
