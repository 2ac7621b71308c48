import Foundation
import Glibc
import Martlet
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletWire

@Suite("WireTransport: requests it refuses, addresses and lifetime", .timeLimit(.minutes(5)))
struct WireTransportTests {
    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    private func failure(_ url: String, over transport: any Transport, _ change: (inout HTTPRequest) -> Void = { _ in }) async throws
        -> HTTPError?
    {
        var request = HTTPRequest(url: try #require(URL(string: url)))
        change(&request)
        let sent = request
        return await #expect(throws: HTTPError.self) { try await transport.send(sent) }
    }

    private func isUnavailable(_ error: HTTPError?) -> Bool { if case .engineUnavailable = error { true } else { false } }

    @Test("A request to https, one through a proxy and one for an upgrade fail, with advice, before anything is sent")
    func refused() async throws {
        let server = RawServer.answering(Self.hello)
        #expect(isUnavailable(try await failure("https://127.0.0.1:\(server.port)/", over: WireTransport())))
        var configuration = TransportConfiguration()
        configuration.proxy = .explicit(try Proxy(url: try #require(URL(string: "http://127.0.0.1:\(server.port)"))))
        #expect(isUnavailable(try await failure(server.url().absoluteString, over: WireTransport(configuration))))
        let error = try await failure(server.url().absoluteString, over: WireTransport()) { $0.context.upgrade = ConnectionUpgrade() }
        #expect(isUnavailable(error) && error?.description.contains("PlatformTransport") == true)
        #expect(server.connectionCount == 0)
    }

    @Test("An invalid configuration fails each request")
    func configuration() async throws {
        var configuration = TransportConfiguration()
        configuration.resolve = ["a b": ["127.0.0.1"]]
        let transport = WireTransport(configuration)
        for _ in 0..<2 { #expect(try await failure("http://127.0.0.1/", over: transport) == .invalidRequest) }
    }

    @Test("PlatformTransport sends http requests with the transport that it was given, and others with its own")
    func platform() async throws {
        let server = RawServer.answering(Self.hello)
        let transport = PlatformTransport(plainHTTP: WireTransport())
        #expect(transport.endsByDeadline && transport.opensWebSockets && transport.opensConnections)
        let client = HTTPClient(baseURL: server.url(), transport: transport)
        #expect(try await client.send(Request<String>.get("a")) == "hello")
        // Only libcurl sends this field for `identity`.
        #expect(server.requests.first?.value("Accept-Encoding") == WireTransport.acceptEncoding)
        let error = try await failure("https://127.0.0.1:\(server.port)/", over: transport)
        #expect(!isUnavailable(error))
    }

    @Test("PlatformTransport ends a call over a transport that does not know of calls")
    func foreign() async throws {
        let begun = OneShot<Void>()
        let mock = MockTransport { _ in
            begun.set(())
            // Ends with the task that sends the request.
            try await OneShot<Void>.never()
            return .status(200)
        }
        let transport = PlatformTransport(plainHTTP: mock)
        let client = HTTPClient(baseURL: URL(string: "http://a.example"), transport: transport)
        let call = Task { try await client.send(Request<Data>.get("a")) }
        await begun.value()
        transport.cancelAll()
        await #expect(throws: HTTPError.cancelled) { try await call.value }
    }

    // MARK: Addresses

    @Test("The addresses of a name are tried in turn; configured ones are not looked up")
    func addresses() async throws {
        let server = RawServer.answering(Self.hello)
        var configuration = TransportConfiguration()
        configuration.resolve = ["Two.example": ["127.0.0.2", "127.0.0.1"]]
        let transport = WireTransport(configuration) { _ in [] }
        let url = try #require(URL(string: "http://two.example:\(server.port)/"))
        let response = try await transport.send(HTTPRequest(url: url))
        #expect(response.body.buffered == Data("hello".utf8) && response.metadata.remoteAddress == "127.0.0.1")
        #expect(server.requests.first?.value("Host") == "two.example:\(server.port)")
        let found = WireTransport(TransportConfiguration()) { name in name == "found.example" ? ["127.0.0.2", "127.0.0.1"] : [] }
        let other = HTTPRequest(url: try #require(URL(string: "http://found.example:\(server.port)/")))
        #expect(try await found.send(other).metadata.timings?.nameLookup != nil)
        let unknown = try await failure("http://unknown.example:\(server.port)/", over: found)
        #expect(unknown == .networkError(NetworkFailure(.failedLookup())) && unknown?.stage == .connect)
    }

    @Test("An address that the policy refuses is not connected to, on new and on kept connections")
    func policy() async throws {
        let server = RawServer.answering(Self.hello), url = server.url().absoluteString
        let transport = WireTransport()
        for _ in 0..<2 {
            let error = try await failure(url, over: transport) { $0.context.addressPolicy = .publicOnly }
            guard case .addressRefused = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            // A kept connection for the second attempt.
            _ = try await transport.send(HTTPRequest(url: server.url()))
        }
        #expect(server.connectionCount == 1)
        var configuration = TransportConfiguration()
        configuration.resolve = ["two.example": ["127.0.0.1"]]
        let named = try await failure("http://two.example:\(server.port)/", over: WireTransport(configuration)) {
            $0.context.addressPolicy = .publicOnly
        }
        #expect(named?.stage == .connect)
    }

    @Test("All requests go to a Unix domain socket, with the host of their URL")
    func unixSocket() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("wire-\(UUID().uuidString.prefix(8))").path
        let server = RawServer(unixSocket: path) { connection in
            while connection.readRequest() != nil { connection.send(WireTransportTests.hello) }
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        var configuration = TransportConfiguration()
        configuration.unixSocket = path
        let transport = WireTransport(configuration)
        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(url: try #require(URL(string: "http://any.example/")))) }
        #expect(server.requests.map { $0.value("Host") } == ["any.example", "any.example"] && server.connectionCount == 1)
        let refused = try await failure("http://any.example/", over: transport) { $0.context.addressPolicy = .publicOnly }
        guard case .addressRefused = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
    }

    // MARK: Time

    @Test("A lookup that hangs ends at the connect timeout, at the deadline, or when the call is cancelled")
    func hangingLookup() async throws {
        let gate = DispatchSemaphore(value: 0)
        defer { for _ in 0..<3 { gate.signal() } }
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .milliseconds(30)
        let impatient = WireTransport(configuration) { _ in
            gate.wait()
            return []
        }
        let error = try await failure("http://slow.example/", over: impatient)
        #expect(error == .timeout && error?.stage == .connect)
        let patient = WireTransport(TransportConfiguration()) { _ in
            gate.wait()
            return []
        }
        #expect(try await failure("http://slow.example/", over: patient) { $0.context.deadline = .now + .milliseconds(30) } == .timeout)
        let call = Task { try await patient.send(HTTPRequest(url: URL(string: "http://slow.example/")!)) }
        await Task.yield()
        call.cancel()
        await #expect(throws: HTTPError.cancelled) { try await call.value }
    }

    @Test("A file that does not open delays only its own request, which can be cancelled")
    func hangingFile() async throws {
        let server = RawServer.answering(Self.hello), transport = WireTransport()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("wire-\(UUID().uuidString)")
        try Data("text".utf8).write(to: path)
        let body = try HTTPBody(file: path)
        // Opening a pipe waits for a writer.
        try FileManager.default.removeItem(at: path)
        #expect(mkfifo(path.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: path) }
        let call = Task { try await transport.send(HTTPRequest(method: .post, url: server.url(), body: body)) }
        #expect(try await transport.send(HTTPRequest(url: server.url())).status == 200)
        call.cancel()
        await #expect(throws: HTTPError.self) { try await call.value }
        #expect(server.requests.count == 1)
    }

    // MARK: Lifetime

    @Test("A released transport closes its connections, after a body that is still being read")
    func release() async throws {
        let ended = DispatchSemaphore(value: 0), goesOn = DispatchSemaphore(value: 0)
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            goesOn.wait()
            connection.send("world")
            _ = connection.readRequest()
            ended.signal()
        }
        var transport: WireTransport? = WireTransport()
        var request = HTTPRequest(url: server.url())
        request.context.streamsBody = true
        let response = try await transport?.send(request)
        transport = nil
        goesOn.signal()
        #expect(try await response?.body.collect() == Data("helloworld".utf8))
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                ended.wait()
                done.resume()
            }
        }
    }

    @Test("A task that prefers the transport's executor runs on an engine's thread")
    func executor() async throws {
        let server = RawServer.answering(Self.hello), transport = WireTransport()
        // Starts the engines.
        _ = try await transport.send(HTTPRequest(url: server.url()))
        let name = try await withTaskExecutorPreference(transport.taskExecutor) {
            for _ in 0..<50 { _ = try await transport.send(HTTPRequest(url: server.url())) }
            return (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        }
        #expect(name.hasPrefix("martlet.wire"))
    }

    @Test("In a forked child, a used transport fails with advice, and the parent continues")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let server = RawServer.answering(WireTransportTests.hello), transport = WireTransport()
            _ = try await transport.send(HTTPRequest(url: server.url()))
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: (@convention(c) () -> Int32).self)
            let child = fork()
            if child == 0 { _exit((try? transport.engines.team()) == nil && transport.engines.made == nil ? 0 : 1) }
            var status: Int32 = -1
            waitpid(child, &status, 0)
            let response = try await transport.send(HTTPRequest(url: server.url()))
            exit(status == 0 && response.status == 200 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

extension OneShot<Void> {
    /// Waits until the task is cancelled.
    fileprivate static func never() async throws {
        let slot = OneShot<Void>()
        await withTaskCancellationHandler {
            await slot.value()
        } onCancel: {
            slot.set(())
        }
        throw CancellationError()
    }
}
