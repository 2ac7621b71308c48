import Foundation
import MartletClient
import MartletHTTP
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("CurlTransport.taskExecutor", .timeLimit(.minutes(5)))
struct EngineExecutorTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// The inbox of the engine on whose thread the process exits.
    private static let exiting = Locked<[EngineInbox]>([])

    /// A transport that has made its engines for a first request.
    private func started(
        _ server: RawServer, engines: Int = 3, _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
    ) async throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.engines = engines
        change(&configuration)
        let transport = CurlTransport(configuration)
        _ = try await transport.send(HTTPRequest(url: server.url()))
        return transport
    }

    /// The engine whose thread runs the caller. Engines of other transports count too.
    private nonisolated(nonsending) func engine() async -> Int? { EngineLoop.current?.index }

    @Test("A task runs on one engine's thread before, during and after its calls", arguments: [1, 3])
    func stays(engines: Int) async throws {
        let server = RawServer.answering(Self.empty), transport = try await started(server, engines: engines)
        #expect(await engine() == nil)
        let seen = await withTaskExecutorPreference(transport.taskExecutor) {
            var seen = [await engine()]
            for _ in 0..<20 {
                #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil)
                seen.append(await engine())
            }
            return seen
        }
        let first = try #require(seen[0])
        #expect(seen == Array(repeating: first, count: 21))
        #expect(await engine() == nil)
    }

    @Test("A request runs on the engine of its task, whichever that is", arguments: 0..<3)
    func requests(earlierTasks: Int) async throws {
        let arrived = Gate(), gate = Gate()
        let server = RawServer { connection in
            while let request = connection.readRequest() {
                if request.line.contains("held") {
                    arrived.open()
                    gate.wait()
                }
                connection.send(EngineExecutorTests.empty)
            }
        }
        let transport = try await started(server), home = Locked<Int?>(nil)
        for _ in 0..<earlierTasks { await Task(executorPreference: transport.taskExecutor) {}.value }
        let call = Task(executorPreference: transport.taskExecutor) {
            let own = await engine()
            home.withLock { $0 = own }
            return await transport.failure(of: HTTPRequest(url: server.url("/held")))
        }
        await arrived.opened()
        let running = transport.running, index = try #require(home.withLock { $0 })
        #expect(running[index] == 1 && running.reduce(0, +) == 1)
        gate.open()
        #expect(await call.value == nil)
    }

    @Test("New tasks are given to the engines in turn")
    func turns() async throws {
        let transport = try await started(RawServer.answering(Self.empty))
        var counts: [Int: Int] = [:]
        for _ in 0..<9 {
            let index = await Task(executorPreference: transport.taskExecutor) { await engine() }.value
            counts[try #require(index), default: 0] += 1
        }
        #expect(counts == [0: 3, 1: 3, 2: 3])
    }

    @Test("An engine that has many jobs to run gives others to the other engines")
    func spread() async throws {
        let transport = try await started(RawServer.answering(Self.empty))
        let counts = await withTaskExecutorPreference(transport.taskExecutor) {
            await withTaskGroup(of: Int?.self) { group in
                // They are queued before the first one can run.
                for _ in 0..<(EngineDeal.fill + 30) { group.addTask { await engine() } }
                return await group.reduce(into: [:]) { counts, index in counts[index, default: 0] += 1 }
            }
        }
        #expect(counts[nil] == nil && counts.count > 1 && counts.values.reduce(0, +) == EngineDeal.fill + 30)
    }

    @Test("Tasks run before the transport has made its engines, also if it cannot make them, and get the error of their calls")
    func unmade() async {
        let server = RawServer.answering(Self.empty), transport = CurlTransport()
        await withTaskExecutorPreference(transport.taskExecutor) {
            #expect(await engine() == nil)
            #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil)
        }
        let broken = CurlTransport(.failure(.engineUnavailable("no libcurl")), .init())
        await withTaskExecutorPreference(broken.taskExecutor) {
            #expect(await broken.failure(of: HTTPRequest(url: server.url())) == .engineUnavailable("no libcurl"))
            #expect(await engine() == nil)
        }
    }

    @Test("Jobs that never end do not stop the transfers of their thread", arguments: [1, 3])
    func endless(engines: Int) async throws {
        let server = RawServer.answering(Self.empty), transport = try await started(server, engines: engines)
        let mayEnd = Locked(false)
        await withTaskExecutorPreference(transport.taskExecutor) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { while !mayEnd.withLock({ $0 }) { await Task.yield() } } }
                for _ in 0..<20 { #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil) }
                mayEnd.withLock { $0 = true }
            }
        }
    }

    @Test("A released transport keeps its engines until the last task that prefers them has ended")
    func released() async throws {
        let server = RawServer.answering(Self.empty), inbox = Locked<EngineInbox?>(nil)
        weak var weakTransport: CurlTransport?
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self), (seen, sight) = AsyncStream.makeStream(of: Bool.self)
        let task: Task<Void, Never>
        do {
            let transport = try await started(server)
            weakTransport = transport
            task = Task(executorPreference: transport.taskExecutor) {
                inbox.withLock { $0 = EngineLoop.current?.inbox }
                for await _ in ticks { sight.yield(await engine() != nil) }
            }
        }
        #expect(weakTransport == nil)
        var sights = seen.makeAsyncIterator()
        for _ in 0..<10 {
            tick.yield()
            #expect(await sights.next() == true)
        }
        tick.finish()
        await task.value
        let last = try #require(inbox.withLock { $0 })
        while !last.isParked { await Task.yield() }
    }

    @Test("The preference alone keeps the engines of a transport that is released meanwhile")
    func preferred() async throws {
        let server = RawServer.answering(Self.empty)
        let isThere = await withTaskExecutorPreference(try await started(server).taskExecutor) {
            await Task.yield()
            return await engine() != nil
        }
        #expect(isThere)
    }

    @Test("Streamed calls, and calls through an interceptor that needs a task of its own, stay on the engines' threads", arguments: [1, 3])
    func tasksOfTheirOwn(engines: Int) async throws {
        struct Passing: Interceptor {
            let seen: @Sendable () async -> Void
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let response = try await next(request)
                await seen()
                return response
            }
        }
        let isElsewhere = Locked(false)
        let passing = Passing { if await engine() == nil { isElsewhere.withLock { $0 = true } } }
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        let transport = try await started(server, engines: engines)
        let client = HTTPClient(baseURL: server.url(), transport: transport, interceptors: [passing])
        let count = try await withTaskExecutorPreference(transport.taskExecutor) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        guard number % 2 == 0 else { return try await client.send(Request<Data>.get("a")).count }
                        return try await client.stream(Request<Data>.get("a")).body.collect().count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(count == 180 && !isElsewhere.withLock { $0 })
    }

    @Test("Work that calls share leaves the executor of the first call", arguments: [true, false])
    func sharedWork(endsWithCallers: Bool) async throws {
        let transport = try await started(RawServer.answering(Self.empty))
        let flights = SingleFlight<Int, Bool>(cancelsAbandoned: endsWithCallers)
        let outcome = await withTaskExecutorPreference(transport.taskExecutor) {
            await flights.outcome(for: 1) {
                // A `yield` does not suspend if another thread resumes it at the same moment.
                for _ in 0..<1_000 where await engine() != nil { await Task.yield() }
                return await engine() != nil
            }
        }
        #expect(try !outcome.0.get())
    }

    @Test("Deadlines and cancellation end calls on the engines' threads")
    func ends() async throws {
        let arrived = Gate()
        let server = RawServer { connection in
            while let request = connection.readRequest() {
                guard request.line.contains("cancelled") else {
                    if !request.line.contains("late") { connection.send(EngineExecutorTests.empty) }
                    continue
                }
                arrived.open()
            }
        }
        let transport = try await started(server)
        let (timedOut, cancelled) = await withTaskExecutorPreference(transport.taskExecutor) {
            var request = HTTPRequest(url: server.url("/late"))
            request.context.deadline = .now + .milliseconds(20)
            let timedOut = await transport.failure(of: request)
            let task = Task(executorPreference: transport.taskExecutor) {
                await transport.failure(of: HTTPRequest(url: server.url("/cancelled")))
            }
            await arrived.opened()
            task.cancel()
            let cancelled = await task.value
            return (timedOut, cancelled)
        }
        guard case .timeout = timedOut, case .cancelled = cancelled else {
            Issue.record("\(String(describing: timedOut)), \(String(describing: cancelled))")
            return
        }
    }

    @Test("Bodies stream in both directions on the engines' threads", arguments: [1, 3])
    func streams(engines: Int) async throws {
        let size = 3_000_000
        let server = RawServer { connection in
            while let request = connection.readRequest() {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n")
                connection.send(request.body)
            }
        }
        let transport = try await started(server, engines: engines) { $0.streamBufferSize = 32 * 1024 }
        let sums = try await withTaskExecutorPreference(transport.taskExecutor) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let pieces = AsyncStream<Data> { pieces in
                            for _ in 0..<30 { pieces.yield(Data(count: size / 30)) }
                            pieces.finish()
                        }
                        var request = HTTPRequest(method: .post, url: server.url(), body: HTTPBody(pieces, length: Int64(size)))
                        request.context.streamsBody = true
                        var count = 0
                        for try await bytes in try await transport.send(request).body { count += bytes.count }
                        return count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(sums == Array(repeating: size, count: 6))
    }

    @Test("The limit of connections holds for the tasks of all engines")
    func limits() async throws {
        let server = RawServer.answering(Self.empty), transport = try await started(server) { $0.maxConnectionsPerOrigin = 2 }
        let failures = await withTaskExecutorPreference(transport.taskExecutor) {
            await withTaskGroup(of: HTTPError?.self) { group in
                for _ in 0..<90 { group.addTask { await transport.failure(of: HTTPRequest(url: server.url())) } }
                return await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
            }
        }
        #expect(failures == 0 && server.connectionCount <= 2)
    }

    @Test("A process may exit on an engine's thread, while other requests run", arguments: [1, 3])
    func exits(engines: Int) async {
        await #expect(processExitsWith: .exitCode(7)) { [engines] in
            // Runs after the engines' hook, which was registered later. A thread that waited for itself would not be parked.
            atexit { _exit(EngineExecutorTests.exiting.withLock { $0.map(\.isParked) } == [true] ? 7 : 1) }
            let gate = Gate()
            let server = RawServer { connection in
                while let request = connection.readRequest() {
                    if request.line.contains("held") { gate.wait() }
                    connection.send(EngineExecutorTests.empty)
                }
            }
            var configuration = CurlTransport.Configuration()
            configuration.engines = engines
            let transport = CurlTransport(configuration)
            _ = try await transport.send(HTTPRequest(url: server.url()))
            for _ in 0..<10 { Task { await transport.failure(of: HTTPRequest(url: server.url("/held"))) } }
            await Task(executorPreference: transport.taskExecutor) {
                _ = await transport.failure(of: HTTPRequest(url: server.url()))
                if let inbox = EngineLoop.current?.inbox { EngineExecutorTests.exiting.withLock { $0.append(inbox) } }
                exit(0)
            }.value
        }
    }
}
