import MartletResilience
import MartletTesting
import Testing

@testable import MartletRedis

@Suite("RedisTrafficState", .timeLimit(.minutes(5)))
struct RedisTrafficStateTests {
    private let claim = SharedPermissionClaim(interval: .nanoseconds(33_333_334), burst: 5, hold: .seconds(1), spent: 2)

    private func state(
        _ server: ScriptedServer, time: any TimeSource = .system, _ change: (inout RedisConfiguration) -> Void = { _ in }
    ) -> RedisTrafficState {
        var configuration = RedisConfiguration()
        (configuration.commandTimeout, configuration.pauseAfterFailure) = (.seconds(30), .zero)
        change(&configuration)
        return RedisTrafficState(port: server.port, configuration: configuration, time: time)
    }

    @Test("A claim is one script with whole microseconds, and keys that reveal no group")
    func claims() async throws {
        let server = ScriptedServer.answering { _ in ":0\r\n" }
        #expect(await state(server).take(claim, of: "secret.test") == .taken)
        let words = try #require(await server.next())
        #expect(words[0] == "EVAL" && words[1] == TrafficScripts.take && words[2] == "2")
        #expect(words[5...] == ["33334", "5", "1000000", "2", "86401166"])
        #expect(words[3].hasPrefix("martlet-traffic:1:r:") && words[4].hasPrefix("martlet-traffic:1:p:"))
        #expect(!words[3...4].joined().contains("secret"))
    }

    @Test(
        "Replies to claims",
        arguments: [
            (":0\r\n", SharedPermission.taken), (":1500\r\n", .wait(.microseconds(1500))), (":-1\r\n", .unavailable),
            ("+OK\r\n", .unavailable),
            ("$-1\r\n", .unavailable), ("-ERR x\r\n", .unavailable), ("*0\r\n", .unavailable),
        ])
    func permissions(reply: String, permission: SharedPermission) async {
        let server = ScriptedServer.answering { _ in reply }
        #expect(await state(server).take(claim, of: "g") == permission)
    }

    @Test(
        "Replies about circuits",
        arguments: [
            ("*2\r\n:0\r\n:0\r\n", SharedCircuit.unknown), ("*2\r\n:1\r\n:7000\r\n", .closed(ago: .milliseconds(7))),
            ("*2\r\n:2\r\n:0\r\n", .open(for: .zero)), ("*2\r\n:3\r\n:1795466382440360\r\n", .probe(1_795_466_382_440_360)),
            ("*2\r\n:4\r\n:0\r\n", .unavailable), ("*2\r\n:1\r\n:-7\r\n", .unavailable), ("*1\r\n:1\r\n", .unavailable),
            (":1\r\n", .unavailable),
        ])
    func circuits(reply: String, circuit: SharedCircuit) async {
        let server = ScriptedServer.answering { _ in reply }
        #expect(await state(server).advance("g", by: .look, CircuitBreaker.Rules()) == circuit)
    }

    @Test("Each step has its word and number")
    func steps() async throws {
        let server = ScriptedServer.answering { _ in "*2\r\n:0\r\n:0\r\n" }
        let state = state(server), rules = CircuitBreaker.Rules(openDuration: .seconds(3), probes: 2)
        let steps: [SharedCircuitStep] = [.look, .open, .claimProbe, .succeed(5), .fail(6), .release(7)]
        for step in steps { _ = await state.advance("g", by: step, rules) }
        var sent: [[String]] = []
        for _ in steps { sent.append(Array(try #require(await server.next())[4...])) }
        #expect(sent.map { $0[0] } == ["look", "open", "claim", "succeed", "fail", "release"])
        #expect(sent.map { $0[3] } == ["0", "0", "0", "5", "6", "7"])
        #expect(sent.allSatisfy { $0[1] == "3000000" && $0[2] == "2" && $0[4] == "86403000" })
    }

    @Test("Extreme claims are limited, so that no number overflows")
    func extremes() async throws {
        let server = ScriptedServer.answering { _ in ":0\r\n" }
        let state = state(server) { $0.timeToLive = .zero }
        _ = await state.take(SharedPermissionClaim(interval: .seconds(Int64.max), burst: .max, hold: .seconds(-5), spent: .max), of: "g")
        _ = await state.take(SharedPermissionClaim(interval: .zero, burst: 0, spent: -1), of: "g")
        let century = "3153600000000"
        #expect(await server.next()?[5...] == ["\(century)000", "\(Int64.max)", "0", "\(Int64.max)", century])
        #expect(await server.next()?[5...] == ["1", "1", "0", "0", "1000"])
    }

    @Test("A server that does not reply is unavailable after the time limit, and then immediately; the reason can be read")
    func silent() async throws {
        let time = ManualTime(), server = ScriptedServer { $0.waitForClose() }
        let state = state(server, time: time) { ($0.commandTimeout, $0.pauseAfterFailure) = (.milliseconds(250), .milliseconds(100)) }
        #expect(state.maxDelay == .milliseconds(350) && state.lastFailure == nil)
        async let reply = state.take(claim, of: "g")
        _ = await server.next()
        time.advance(by: .milliseconds(250))
        #expect(await reply == .unavailable)
        #expect(await state.take(claim, of: "g") == .unavailable)
        #expect(server.connections == 1)
        #expect(state.lastFailure?.hasPrefix("unavailable: ") == true)
    }

    @Test("User, password and database are sent first, and descriptions do not show the credentials")
    func credentials() async throws {
        let server = ScriptedServer.answering { ["AUTH", "SELECT"].contains($0[0]) ? "+OK\r\n" : ":1\r\n" }
        let state = state(server) { ($0.user, $0.password, $0.database) = ("ada", "s3cret", 7) }
        await state.pause("g", for: .milliseconds(1500))
        #expect(await server.next() == ["AUTH", "ada", "s3cret"])
        #expect(await server.next() == ["SELECT", "7"])
        #expect(await server.next()?.suffix(1) == ["1501"])
        #expect(!"\(state) \(String(reflecting: state))".contains("s3cret"))
    }
}
