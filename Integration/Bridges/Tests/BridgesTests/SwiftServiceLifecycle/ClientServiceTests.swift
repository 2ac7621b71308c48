#if SwiftServiceLifecycle
import Foundation
import Logging
import Martlet
import MartletBridges
import MartletCurl
import MartletTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite("A client as a service", .timeLimit(.minutes(2)))
struct ClientServiceTests {
    private let time = ManualTime(autoAdvances: false)

    private func client(_ transport: any Transport) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://h/"), transport: transport, configuration: .init(totalTimeout: nil, idleTimeout: nil),
            time: time)
    }

    /// A place where a task waits until a test lets it continue.
    private struct Gate {
        private let door = AsyncStream<Void>.makeStream()

        func open() { door.continuation.finish() }
        func wait() async { for await _ in door.stream {} }
    }

    /// Keeps the summaries of drains.
    private actor Summaries {
        private(set) var all: [DrainSummary] = []

        func add(_ summary: DrainSummary) { all.append(summary) }
    }

    @Test("A graceful shutdown refuses new calls and lets running ones end within the limit")
    func graceful() async throws {
        let gate = Gate(), summaries = Summaries()
        let transport = MockTransport { _ in
            await gate.wait()
            return .text("done")
        }
        let client = client(transport), service = client.service(within: .seconds(30)) { await summaries.add($0) }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            async let value = client.send(Request<String>.get("a"))
            try await transport.waitForRequests()
            trigger.triggerGracefulShutdown()
            try await time.waitForTimers()
            await #expect(throws: HTTPError.draining) { try await client.send(Request<String>.get("b")) }
            time.advance(by: .seconds(29))
            #expect(client.calls?.runningCount == 1)
            gate.open()
            let received = try await value
            #expect(received == "done")
            try await run
        }
        #expect(await summaries.all == [DrainSummary(finished: 1)] && transport.requests.count == 1)
    }

    @Test("A streamed response and an event stream that still run at the limit are cancelled")
    func limit() async throws {
        let transport = MockTransport { $0.url.path == "/events" ? .events(["a"]) : .stream("a", "b") }
        let client = client(transport), summaries = Summaries()
        let service = client.service { await summaries.add($0) }
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            var chunks = try await client.stream(Request<Data>.get("file")).body.makeAsyncIterator()
            #expect(try await chunks.next() == Data("a".utf8))
            async let ended = failure(client.events(.get("events")))
            try await time.waitForSleeps()
            trigger.triggerGracefulShutdown()
            try await time.waitForTimers(2)
            time.advance(by: .seconds(20))
            let error = await ended
            #expect(error == .cancelled)
            await #expect(throws: HTTPError.cancelled) { _ = try await chunks.next() }
            try await run
        }
        #expect(await summaries.all == [DrainSummary(cancelled: 2)])
    }

    private func failure(_ events: EventSequence<HTTPError>) async -> HTTPError? {
        do throws(HTTPError) {
            for try await _ in events {}
            return nil
        } catch { return error }
    }

    @Test("An upload over sockets that is under way is sent to its end during a graceful shutdown")
    func upload() async throws {
        let server = try await MockServer.start()
        server.on(.post("/"), .text("stored"))
        let transport = CurlTransport(), (chunks, sender) = AsyncStream<Data>.makeStream()
        let client = HTTPClient(baseURL: server.url, transport: transport), service = transport.service()
        try await testGracefulShutdown { trigger in
            async let run: Void = service.run()
            async let value = client.send(Request<String>.post("", body: .stream(chunks)))
            sender.yield(Data("first ".utf8))
            while client.calls?.runningCount != 1 { await Task.yield() }
            trigger.triggerGracefulShutdown()
            while transport.calls?.isDraining != true { await Task.yield() }
            sender.yield(Data("last".utf8))
            sender.finish()
            let received = try await value
            #expect(received == "stored")
            try await run
        }
        #expect(server.requests.map(\.body) == [Data("first last".utf8)])
        await #expect(throws: HTTPError.draining) { try await client.send(Request<String>.get("b")) }
        await server.stop()
    }

    @Test("Cancelling the task ends running calls at once, and also a graceful shutdown that waits for them")
    func cancellation() async throws {
        for isGraceful in [false, true] {
            let transport = MockTransport(.silence), client = client(transport), summaries = Summaries()
            let service = client.service(within: .seconds(30)) { await summaries.add($0) }
            async let ended = client.result(of: Request<String>.get("a"))
            try await transport.waitForRequests()
            let result = await testGracefulShutdown { trigger in
                let run = Task { try await service.run() }
                if isGraceful {
                    trigger.triggerGracefulShutdown()
                    while client.calls?.isDraining != true { await Task.yield() }
                }
                run.cancel()
                return await run.result
            }
            let outcome = await ended
            #expect(outcome == .failure(.cancelled))
            #expect(await client.result(of: Request<String>.get("b")) == .failure(.draining))
            if isGraceful { try result.get() } else { #expect(throws: CancellationError.self) { try result.get() } }
            #expect(await summaries.all == [DrainSummary(cancelled: 1)])
        }
    }

    @Test("A shutdown before the run ends it at once, and a second run throws .draining")
    func runs() async throws {
        let client = client(MockTransport()), service = client.service()
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await service.run()
        }
        #expect(await client.result(of: Request<String>.get("a")) == .failure(.draining))
        await #expect(throws: HTTPError.draining) { try await service.run() }
        await #expect(throws: HTTPError.draining) { try await client.service().run() }
    }

    /// A service that reads events until it is shut down, and then makes a last call.
    private struct Worker: Service {
        let client: HTTPClient

        func run() async throws {
            for try await _ in client.events(.get("events")).cancelOnGracefulShutdown() {}
            _ = try await client.send(Request<String>.get("goodbye"))
        }
    }

    @Test("In a group, services after the client make their last calls before it refuses calls")
    func group() async throws {
        let transport = MockTransport { $0.url.path == "/events" ? .silence : .text("bye") }
        let client = client(transport), summaries = Summaries()
        let group = ServiceGroup(
            services: [client.service { await summaries.add($0) }, Worker(client: client)], logger: Logger(label: "test"))
        async let run: Void = group.run()
        try await transport.waitForRequests()
        await group.triggerGracefulShutdown()
        try await run
        #expect(transport.requests.map(\.url.path) == ["/events", "/goodbye"])
        #expect(await summaries.all == [DrainSummary()])
        #expect(await client.result(of: Request<String>.get("a")) == .failure(.draining))
    }

    @Test("The name of the service has the origin and no path, user name or password")
    func description() {
        let secret = HTTPClient(baseURL: URL(string: "https://user:s3cret@h/key-1?token=2"), transport: MockTransport())
        #expect("\(secret.service())" == "client of https://h")
        #expect("\(MockTransport().service())" == "clients over MockTransport")
    }
}
#endif
