import Foundation
import MartletHTTP
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: upgraded connections", .timeLimit(.minutes(5)))
struct UpgradedSocketsTests {
    @Test("A 101 hands over the connection, on which both sides write and read", arguments: [false, true])
    func echo(isSecure: Bool) async throws {
        let server = UpgradeServer.echo(isSecure: isSecure), transport = CurlTransport.trusting()
        let (response, connection) = try await transport.upgrade(UpgradeServer.url(server, isSecure: isSecure))
        #expect(response.status.rawValue == 101 && response.headers["Upgrade"] == "echo" && response.metadata.version == .http11)
        #expect(try await response.body.collect() == Data())
        let stream = try #require(connection)
        for text in ["a", "a message of some length", String(repeating: "x", count: 20_000)] {
            try await stream.write(Data(text.utf8))
            #expect(try await stream.read(text.utf8.count) == Data(text.utf8))
        }
        stream.close()
        await #expect(throws: HTTPError.cancelled) { try await stream.read() }
        await #expect(throws: HTTPError.cancelled) { try await stream.write(Data([1])) }
    }

    @Test("The request has its target, its host, and its fields as they are")
    func head() async throws {
        let received = Locked("")
        let server = UpgradeServer.make { peer in
            let head = peer.head() ?? ""
            received.withLock { $0 = head }
            peer.send(Data(UpgradeServer.switching.utf8))
        }
        let stream = try await CurlTransport.trusting().connect(UpgradeServer.url(server))
        #expect(try await stream.read() == nil)
        #expect(
            received.withLock { $0 }
                == "GET /chat?room=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
    }

    @Test("Bytes that arrive together with the head are read first", arguments: [false, true])
    func early(isSecure: Bool) async throws {
        let server = UpgradeServer.make(isSecure: isSecure) { peer in
            guard peer.head() != nil else { return }
            peer.send(Data(("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + UpgradeServer.switching + "first").utf8))
            peer.send(Data(" second".utf8))
        }
        let stream = try await CurlTransport.trusting().connect(UpgradeServer.url(server, isSecure: isSecure))
        #expect(try await stream.read(12) == Data("first second".utf8))
    }

    @Test("Both directions carry 50 MB at the same time", arguments: [false, true])
    func volume(isSecure: Bool) async throws {
        let count = 50_000_000, end = Data([1])
        let server = UpgradeServer.make(isSecure: isSecure) { peer in
            guard peer.head() != nil else { return }
            peer.send(Data(UpgradeServer.switching.utf8))
            guard !isSecure else {
                // A session of TLS has one user at a time.
                peer.send(UpgradeServer.pattern(count / 2))
                let isRight = peer.expects(count)
                return peer.send(UpgradeServer.pattern(count).suffix(count - count / 2) + (isRight ? end : Data()))
            }
            let sent = Gate(), connection = peer.connection
            Thread.detachNewThread {
                connection.send(UpgradeServer.pattern(count))
                sent.open()
            }
            let isRight = peer.expects(count)
            sent.wait()
            peer.send(isRight ? end : Data())
        }
        let stream = try await CurlTransport.trusting().connect(UpgradeServer.url(server, isSecure: isSecure))
        async let received = stream.read(count + 1)
        try await stream.write(UpgradeServer.pattern(count).prefix(count / 2))
        try await stream.write(UpgradeServer.pattern(count).suffix(count - count / 2))
        #expect(try await received == UpgradeServer.pattern(count) + end)
    }

    @Test("A reader that does not read stops the server's sends, and gets every byte later", arguments: [false, true])
    func backpressure(isLarge: Bool) async throws {
        let limit = 64 << 20, blocked = AsyncStream.makeStream(of: Int.self)
        let server = UpgradeServer.make { peer in
            guard peer.head() != nil else { return }
            peer.send(Data(UpgradeServer.switching.utf8))
            let first = peer.connection.sendUntilBlocked(limit: limit)
            blocked.continuation.yield(first)
            peer.connection.send(Data(count: limit - first))
        }
        let stream = try await CurlTransport.trusting().connect(UpgradeServer.url(server))
        if isLarge { #expect(try await stream.read(1000).count >= 1000) }
        var iterator = blocked.stream.makeAsyncIterator()
        // The sockets' own buffers hold a few megabytes.
        #expect(try #require(await iterator.next()) < 20 << 20)
        var count = 0
        while let bytes = try await stream.read() { count += bytes.count }
        #expect(count >= limit - 300_000 && count <= limit)
    }

    @Test("A server that does not read stops the writes, which a close ends", arguments: [false, true])
    func blockedWrite(isSecure: Bool) async throws {
        let gate = Gate()
        let server = UpgradeServer.make(isSecure: isSecure) { peer in
            guard peer.head() != nil else { return }
            peer.send(Data(UpgradeServer.switching.utf8))
            gate.wait()
        }
        let stream = try await CurlTransport.trusting().connect(UpgradeServer.url(server, isSecure: isSecure))
        let begun = AsyncStream.makeStream(of: Void.self)
        let write = Task {
            var count = 0
            while true {
                try await stream.write(Data(count: 1 << 20))
                count += 1
                begun.continuation.yield()
            }
        }
        var iterator = begun.stream.makeAsyncIterator()
        await iterator.next()
        stream.close()
        await #expect(throws: HTTPError.cancelled) { try await write.value }
        gate.open()
    }

    @Test("Any other response is returned with its body, and the connection is closed", arguments: [false, true])
    func others(isSecure: Bool) async throws {
        let answers = [
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nContent-Length: 5\r\n\r\nno!!!extra",
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nno!\r\n2\r\n!!\r\n0\r\nX: y\r\n\r\n",
            "HTTP/1.0 500 Bad\r\n\r\nno!!!",
        ]
        let next = Locked(0), closed = AsyncStream.makeStream(of: Void.self)
        let server = UpgradeServer.make(isSecure: isSecure) { peer in
            guard peer.head() != nil else { return }
            let answer = next.withLock { next -> String in
                defer { next += 1 }
                return answers[next]
            }
            peer.send(Data(answer.utf8))
            if answer.contains("1.0") { return }
            while peer.read() != nil {}
            closed.continuation.yield()
        }
        let transport = CurlTransport.trusting()
        var iterator = closed.stream.makeAsyncIterator()
        for (index, status) in [401, 302, 500].enumerated() where !isSecure || status != 500 {
            let (response, connection) = try await transport.upgrade(UpgradeServer.url(server, isSecure: isSecure)) {
                $0.context.streamsBody = index == 0
            }
            #expect(response.status.rawValue == status && connection == nil)
            #expect(try await response.body.collect() == Data("no!!!".utf8))
            if status != 500 { await iterator.next() }
        }
        #expect(transport.upgradedCount == 0)
    }

    @Test("A server that ends the connection ends the reads after the last byte; one that resets it makes them fail")
    func ends() async throws {
        let server = UpgradeServer.make { peer in
            guard let head = peer.head() else { return }
            peer.send(Data((UpgradeServer.switching + "last").utf8))
            guard head.hasPrefix("GET /reset") else { return }
            _ = peer.read()
            peer.connection.reset()
        }
        let transport = CurlTransport.trusting()
        let ended = try await transport.connect(UpgradeServer.url(server))
        #expect(try await ended.read(4) == Data("last".utf8))
        #expect(try await ended.read() == nil)
        #expect(try await ended.read() == nil)
        let reset = try await transport.connect(UpgradeServer.url(server, "/reset"))
        #expect(try await reset.read(4) == Data("last".utf8))
        try await reset.write(Data([1]))
        await #expect(throws: HTTPError.connectionLost) { try await reset.read() }
        await #expect(throws: HTTPError.connectionLost) {
            while true { try await reset.write(Data(count: 100_000)) }
        }
    }

    @Test("A cancelled read or write throws .cancelled and closes the connection; so does a connection that is released")
    func cancelled() async throws {
        let closed = AsyncStream.makeStream(of: Void.self)
        let server = UpgradeServer.make { peer in
            guard peer.head() != nil else { return }
            peer.send(Data(UpgradeServer.switching.utf8))
            while peer.read() != nil {}
            closed.continuation.yield()
        }
        var iterator = closed.stream.makeAsyncIterator()
        let transport = CurlTransport.trusting()
        for isWrite in [false, true] {
            let stream = try await transport.connect(UpgradeServer.url(server))
            let task = Task {
                if isWrite { withUnsafeCurrentTask { $0?.cancel() } }
                if isWrite { try await stream.write(Data([1])) } else { _ = try await stream.read() }
            }
            task.cancel()
            await #expect(throws: HTTPError.cancelled) { try await task.value }
            await iterator.next()
        }
        var released: (any ByteConnection)? = try await transport.connect(UpgradeServer.url(server))
        #expect(transport.upgradedCount == 1)
        _ = released.take()
        await iterator.next()
        #expect(transport.upgradedCount == 0)
    }

    @Test("A request is cancelled, and ends at its deadline, before and after its head is sent", arguments: [false, true])
    func unanswered(isSecure: Bool) async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let server = RawServer { connection in
            // Without a handshake, https waits for TLS.
            _ = connection.readSome()
            arrived.continuation.yield()
            connection.waitForClose()
        }
        var iterator = arrived.stream.makeAsyncIterator()
        let transport = CurlTransport.trusting(), url = UpgradeServer.url(server, isSecure: isSecure)
        let task = Task { try await transport.upgrade(url) }
        await iterator.next()
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { _ = try await task.value }
        await #expect(throws: HTTPError.timeout) {
            _ = try await transport.upgrade(url) { $0.context.deadline = .now + .milliseconds(50) }
        }
        #expect(transport.upgradedCount == 0)
    }

    @Test("A malformed or too large response fails like that of any request")
    func malformed() async throws {
        let answer = Locked("")
        let server = UpgradeServer.make { peer in
            if peer.head() != nil { peer.send(Data(answer.withLock { $0 }.utf8)) }
        }
        let transport = CurlTransport.trusting()
        func error(_ text: String) async -> HTTPError? {
            answer.withLock { $0 = text }
            do throws(HTTPError) {
                var request = HTTPRequest(url: UpgradeServer.url(server))
                request.context.upgrade = ConnectionUpgrade()
                request.context.limits.headBytes = 2000
                request.context.limits.fieldCount = 5
                request.context.limits.bodyBytes = 100
                _ = try await transport.send(request)
                return nil
            } catch { return error }
        }
        #expect(await error("hello\r\n\r\n") == .invalidResponse)
        #expect(await error("") == .connectionLost)
        #expect(await error("HTTP/1.1 101 Yes\r\nUpgra") == .connectionLost)
        #expect(await error("HTTP/1.1 403 No\r\nContent-Length: 9\r\n\r\nshort") == .connectionLost)
        #expect(await error("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\nfg\r\n") == .invalidResponse)
        #expect(await error("HTTP/1.1 403 No\r\nTransfer-Encoding: gzip\r\n\r\nfg\r\n") == .invalidResponse)
        #expect(await error("HTTP/1.1 403 No\r\nContent-Length: 1, 2\r\n\r\nf") == .invalidResponse)
        let long = String(repeating: "x", count: 3000), many = String(repeating: "A: b\r\n", count: 6)
        #expect(await error("HTTP/1.1 101 Yes\r\nA: \(long)") == .responseTooLarge(SizeLimitFailure(.head, limit: 2000)))
        #expect(await error("HTTP/1.1 101 Yes\r\n\(many)\r\n") == .responseTooLarge(SizeLimitFailure(.fields, limit: 5)))
        #expect(await error("HTTP/1.1 403 No\r\n\r\n\(long)") == .responseTooLarge(SizeLimitFailure(.body, limit: 100)))
        #expect(transport.upgradedCount == 0)
    }

    @Test("A plain connection uses a tunnel through a proxy, and a proxy's refusal is its error", arguments: [false, true])
    func proxy(isSecure: Bool) async throws {
        let far = UpgradeServer.echo(isSecure: isSecure)
        let proxy = RawServer { connection in
            guard let request = connection.readRequest() else { return }
            guard request.line.contains("127.0.0.1") else {
                connection.send("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
                return
            }
            connection.send("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
            connection.relay(to: far.port)
        }
        let proxyURL = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
        let settings = ProxySettings.explicit(try Proxy(url: proxyURL))
        let transport = CurlTransport.trusting { $0.proxy = settings }
        let (response, connection) = try await transport.upgrade(UpgradeServer.url(far, isSecure: isSecure))
        #expect(response.status.rawValue == 101 && response.headers["X-Proxy"] == nil)
        let stream = try #require(connection)
        try await stream.write(Data("through".utf8))
        #expect(try await stream.read(7) == Data("through".utf8))
        #expect(proxy.requests.map(\.line) == ["CONNECT 127.0.0.1:\(far.port) HTTP/1.1"])
        let refused = try #require(URL(string: "\(isSecure ? "https" : "http")://far.invalid/"))
        let error = await #expect(throws: HTTPError.self) { _ = try await transport.upgrade(refused) }
        #expect(error?.status == .proxyAuthenticationRequired)
    }

    @Test("A refused address, a refused connection, an untrusted certificate and a body fail before anything is sent")
    func refused() async throws {
        let server = UpgradeServer.echo(isSecure: true)
        let guarded = await #expect(throws: HTTPError.self) {
            _ = try await CurlTransport().upgrade(UpgradeServer.url(server)) { $0.context.addressPolicy = .publicOnly }
        }
        #expect(guarded == .addressRefused && server.connectionCount == 0)
        await #expect(throws: HTTPError.invalidSSLCertificate) {
            _ = try await CurlTransport().upgrade(UpgradeServer.url(server, isSecure: true))
        }
        await #expect(throws: HTTPError.invalidRequest) {
            _ = try await CurlTransport().upgrade(server.url()) { $0.method = .post }
        }
        let dead = try #require(URL(string: "http://127.0.0.1:\(RawServer.deadPort())/"))
        await #expect(throws: HTTPError.connectionRefused) { _ = try await CurlTransport().upgrade(dead) }
        let unknown = CurlTransport(CurlLibrary.shared, .init(), lookUp: { _ in [] })
        await #expect(throws: HTTPError.hostNotFound) { _ = try await unknown.upgrade(URL(string: "http://far.invalid/")!) }
    }

    @Test("The limit refuses a further connection until one is closed, and limits no other request")
    func limit() async throws {
        let server = UpgradeServer.echo(), plain = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = CurlTransport.trusting { $0.maxUpgradedConnections = 2 }
        let first = try await transport.connect(UpgradeServer.url(server))
        let second = try await transport.connect(UpgradeServer.url(server))
        await #expect(throws: HTTPError.limitExceeded) { _ = try await transport.upgrade(UpgradeServer.url(server)) }
        #expect(await transport.failure(of: HTTPRequest(url: plain.url())) == nil)
        first.close()
        _ = try await transport.connect(UpgradeServer.url(server))
        second.close()
    }

    @Test("200 connections leave the limits, the connections and the order of other calls alone", arguments: [1, 3])
    func beside(engines: Int) async throws {
        let server = UpgradeServer.echo(), plain = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = CurlTransport.trusting {
            $0.engines = engines
            $0.maxConnections = 3
            $0.maxConnectionsPerOrigin = 3
            $0.maxIdleConnections = 3
        }
        var streams: [any ByteConnection] = []
        for _ in 0..<200 { streams.append(try await transport.connect(UpgradeServer.url(server))) }
        #expect(transport.upgradedCount == 200)
        for _ in 0..<20 { #expect(await transport.failure(of: HTTPRequest(url: plain.url())) == nil) }
        // Old versions keep no plain connection.
        let version = try CurlLibrary.shared.get().version, keeps = version.closesUnread || version >= .asksBeforeRequests
        #expect(plain.connectionCount == (keeps ? 1 : 20))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, stream) in streams.enumerated() {
                group.addTask {
                    let text = Data("message \(index)".utf8)
                    for _ in 0..<5 {
                        try await stream.write(text)
                        #expect(try await stream.read(text.count) == text)
                    }
                }
                group.addTask { #expect(await transport.failure(of: HTTPRequest(url: plain.url())) == nil) }
            }
            try await group.waitForAll()
        }
        #expect(plain.connectionCount <= (keeps ? 3 : 220))
    }

    @Test("A released transport serves its open connections, and its threads end with the last one")
    func released() async throws {
        let server = UpgradeServer.echo()
        var transport: CurlTransport? = CurlTransport.trusting()
        let stream = try await #require(transport).connect(UpgradeServer.url(server))
        let inbox = try #require(transport?.engine.state.withLock { $0.engine?.inboxes.first })
        transport = nil
        try await stream.write(Data("on".utf8))
        #expect(try await stream.read(2) == Data("on".utf8))
        #expect(!inbox.isParked)
        stream.close()
        // A real wait: the engine parks in the system, and tells nobody.
        while !inbox.isParked { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("A task on an engine's thread writes and reads", arguments: [false, true])
    func onEngine(isSecure: Bool) async throws {
        let server = UpgradeServer.echo(isSecure: isSecure), transport = CurlTransport.trusting { $0.engines = 3 }
        // The engines are made by the first request.
        _ = try await transport.connect(UpgradeServer.url(server, isSecure: isSecure))
        try await withTaskExecutorPreference(transport.taskExecutor) {
            let stream = try await transport.connect(UpgradeServer.url(server, isSecure: isSecure))
            for count in [1, 100, 3_000_000] {
                async let received = stream.read(count)
                try await stream.write(UpgradeServer.pattern(count))
                #expect(try await received == UpgradeServer.pattern(count))
            }
        }
    }

    /// Writes a byte when the one before it is written.
    private final class Chain: Sendable {
        let done = OneShot<HTTPError?>()
        private let connection: any ByteConnection
        private let left: Locked<Int>

        init(_ connection: any ByteConnection, _ count: Int) {
            self.connection = connection
            left = Locked(count)
        }

        func next() {
            while takeOne() {
                let isTaken = connection.write(Data([1])) { [self] error in
                    if let error { done.set(error) } else { next() }
                }
                guard isTaken else { return }
            }
            done.set(nil)
        }

        private func takeOne() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
    }

    @Test("Writes that begin when others end do not nest, however many there are", arguments: [false, true])
    func chainedWrites(isSecure: Bool) async throws {
        let server = UpgradeServer.echo(isSecure: isSecure), transport = CurlTransport.trusting()
        let connection = try await transport.connect(UpgradeServer.url(server, isSecure: isSecure))
        let chain = Chain(connection, 50_000)
        async let received = connection.read(50_000)
        chain.next()
        #expect(await chain.done.value() == nil)
        #expect(try await received.count == 50_000)
        connection.close()
    }

    @Test("A forked child cannot use its parent's connection, and closing it there leaves it open")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let server = UpgradeServer.echo(), transport = CurlTransport.trusting()
            let stream = try await transport.connect(UpgradeServer.url(server))
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> Int32).self)
            let child = fork()
            if child == 0 {
                alarm(20)
                stream.close()
                _exit(0)
            }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            try await stream.write(Data("on".utf8))
            exit(try await stream.read(2) == Data("on".utf8) && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("A process exits while connections are open and tasks wait on them", arguments: [1, 3])
    func exits(engines: Int) async {
        await #expect(processExitsWith: .success) { [engines] in
            let server = UpgradeServer.echo()
            let transport = CurlTransport.trusting { $0.engines = engines }
            for _ in 0..<10 {
                let stream = try await transport.connect(UpgradeServer.url(server))
                Task { _ = try await stream.read() }
                Task { while true { try await stream.write(Data(count: 1000)) } }
            }
            exit(EXIT_SUCCESS)
        }
    }
}
