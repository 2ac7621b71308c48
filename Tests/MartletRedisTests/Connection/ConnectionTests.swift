import Foundation
import MartletRedis
import MartletSystem
import MartletTesting
import Testing

@Suite("Connections to a Redis server", .timeLimit(.minutes(5)))
struct ConnectionTests {
    private let key = CacheKey(uri: "http://birds.test/")

    private func find(_ store: RedisCacheStore) async -> CacheStoreError? {
        await failure { () throws(CacheStoreError) in _ = try await store.entries(for: key) }
    }

    @Test("The server is not contacted before the first call, which first sends user, password and database")
    func greeting() async throws {
        let server = ScriptedServer.answering { ["AUTH", "SELECT"].contains($0[0]) ? "+OK\r\n" : "*0\r\n" }
        let store = server.store { ($0.user, $0.password, $0.database) = ("ada", "s3cret", 7) }
        #expect(server.connections == 0)
        #expect(await find(store) == nil)
        #expect(await server.next() == ["AUTH", "ada", "s3cret"])
        #expect(await server.next() == ["SELECT", "7"])
        #expect(await server.next()?.first == "EVAL")
        let withoutUser = server.store { $0.password = "s3cret" }
        #expect(await find(withoutUser) == nil)
        #expect(await server.next() == ["AUTH", "s3cret"])
    }

    @Test("A server that does not reply is a timeout; then calls fail immediately until one may probe the server")
    func silent() async throws {
        let time = ManualTime()
        let server = ScriptedServer { $0.waitForClose() }
        let store = server.store(time: time) {
            ($0.commandTimeout, $0.connectTimeout, $0.pauseAfterFailure) = (.seconds(2), .seconds(50), .seconds(1))
        }
        async let first = find(store)
        _ = await server.next()
        time.advance(by: .seconds(2))
        #expect(await first?.kind == .timeout)
        for _ in 0..<1000 { #expect(await find(store)?.kind == .unavailable) }
        #expect(server.connections == 1)
        time.advance(by: .seconds(1))
        async let probe = find(store)
        _ = await server.next()
        // During the probe, other calls fail without waiting.
        #expect(await find(store)?.kind == .unavailable)
        #expect(server.connections == 2)
        time.advance(by: .seconds(2))
        #expect(await probe?.kind == .timeout)
        #expect(time.timerCount == 0)
    }

    @Test("A server that does not reply to the credentials is a connect timeout")
    func silentGreeting() async throws {
        let time = ManualTime()
        let server = ScriptedServer { $0.waitForClose() }
        let store = server.store(time: time) { ($0.password, $0.connectTimeout) = ("s3cret", .seconds(1)) }
        async let call = find(store)
        _ = await server.next()
        time.advance(by: .seconds(1))
        let error = await call
        #expect(error?.kind == .timeout)
        #expect(error?.detail.contains("connection") == true)
    }

    @Test("If a probe is cancelled before its reply, the next call probes the server")
    func cancelledProbe() async throws {
        let time = ManualTime()
        let server = ScriptedServer { connection in
            while connection.command() != nil { if connection.number > 1 { connection.send("*0\r\n") } else { return } }
        }
        let store = server.store(time: time) { $0.pauseAfterFailure = .seconds(1) }
        #expect(await find(store)?.kind == .unavailable)
        time.advance(by: .seconds(1))
        let probe = Task { await find(store) }
        probe.cancel()
        _ = await probe.value
        // Calls are refused until the probe's reply arrives.
        var last = await find(store)
        while last?.kind == .unavailable {
            await Task.yield()
            last = await find(store)
        }
        #expect(last == nil)
        #expect(server.connections == 2)
    }

    @Test("A cancelled caller throws immediately; the late reply is ignored and the connection remains usable")
    func cancelled() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = ScriptedServer { connection in
            var count = 0
            while connection.command() != nil {
                count += 1
                // The reply to the first command is a late error.
                if count == 1 { gate.wait() }
                connection.send(count == 1 ? "-OOM late\r\n" : "*0\r\n")
            }
        }
        let store = server.store { $0.connections = 1 }
        let call = Task { await find(store) }
        _ = await server.next()
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
        gate.signal()
        #expect(await find(store) == nil)
        #expect(server.connections == 1)
    }

    @Test("A call in a cancelled task does not contact the server")
    func cancelledBefore() async {
        let server = ScriptedServer { $0.waitForClose() }
        let store = server.store()
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await find(store)
        }
        #expect(await call.value?.kind == .cancelled)
        #expect(server.connections == 0)
    }

    @Test("The number of connections is limited, and each caller gets a reply")
    func many() async throws {
        let server = ScriptedServer.answering { _ in "*0\r\n" }
        let store = server.store { $0.connections = 3 }
        await withTaskGroup(of: CacheStoreError?.self) { group in
            for _ in 0..<200 { group.addTask { await find(store) } }
            for await error in group { #expect(error == nil) }
        }
        #expect((1...3).contains(server.connections))
    }

    @Test("A released store closes its connections")
    func gone() async {
        let closed = OneShot<Bool>()
        let server = ScriptedServer { connection in
            while connection.command() != nil { connection.send("*0\r\n") }
            closed.set(true)
        }
        do {
            let store = server.store()
            #expect(await find(store) == nil)
        }
        #expect(await closed.value())
        #expect(server.connections == 1)
    }

    @Test("A large command that the server reads slowly is sent completely")
    func slow() async throws {
        let server = ScriptedServer.answering { $0[0] == "SET" ? "+OK\r\n" : ":1\r\n" }
        let store = server.store()
        let writer = try #require(try await store.writer(for: .sample(key: key), length: nil))
        for _ in 0..<8 { #expect(try await writer.write(Data(repeating: 65, count: (1 << 20) - 1))) }
        try await writer.finish()
        var sets = 0, last: [String] = []
        while last.first != "EVAL" {
            last = await server.next() ?? ["EVAL"]
            if last[0] == "SET" { sets += 1 }
        }
        #expect(sets == 32)
        // One byte over the limit, of which nothing is stored.
        let tooLarge = try #require(try await store.writer(for: .sample(key: key), length: nil))
        #expect(try await !tooLarge.write(Data(count: (8 << 20) + 1)))
        #expect(try await store.writer(for: .sample(key: key), length: (8 << 20) + 1) == nil)
    }
}
