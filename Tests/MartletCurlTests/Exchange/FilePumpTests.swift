import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine
@testable import MartletHTTP

@Suite("FilePump", .timeLimit(.minutes(5)))
struct FilePumpTests {
    private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private static func place() -> URL { FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID())") }

    /// A FIFO. Opening it blocks until it has a writer, and reading it blocks until the writer sends bytes.
    private struct Pipe {
        let path = FilePumpTests.place().path

        init() { precondition(mkfifo(path, 0o600) == 0) }

        var body: HTTPBody { HTTPBody(FileBody(hangingAt: path, length: 10)) }

        /// Waits until the file is being opened, then opens it for writing, which unblocks the reader.
        func writer() async -> Int32 {
            while true {
                let writer = open(path, O_WRONLY | O_NONBLOCK)
                if writer >= 0 { return writer }
                await Task.yield()
            }
        }

        /// Unblocks pending opens and removes the FIFO.
        func remove() {
            close(open(path, O_RDWR))
            unlink(path)
        }
    }

    private func put(_ server: RawServer, _ body: HTTPBody) -> HTTPRequest { HTTPRequest(method: .put, url: server.url(), body: body) }

    @Test("While a request's file blocks in open, other requests complete, and the deadline ends the blocked one")
    func opening() async throws {
        let pipe = Pipe(), server = RawServer.answering(Self.response), transport = CurlTransport()
        defer { pipe.remove() }
        var request = put(server, pipe.body)
        request.context.deadline = .now + .milliseconds(200)
        #expect(await transport.failure(of: request) == .timeout)
        for _ in 0..<3 { #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil) }
        let call = Task { [request = put(server, pipe.body)] in await transport.failure(of: request) }
        #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil)
        call.cancel()
        #expect(await call.value == .cancelled)
        #expect(server.requests.map(\.line) == Array(repeating: "GET / HTTP/1.1", count: 4))
    }

    @Test("A file that can't be opened takes up no connection, and the next file is opened when its request ends")
    func places() async throws {
        let pipe = Pipe(), server = RawServer.answering(Self.response)
        defer { pipe.remove() }
        var configuration = CurlTransport.Configuration()
        configuration.maxConnectionsPerOrigin = 1
        let transport = CurlTransport(configuration)
        #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil)
        let url = Self.place()
        try Data("0123456789".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let hanging = put(server, pipe.body), next = put(server, try HTTPBody(file: url))
        // Each runs on this thread until its request is posted to the engine, which fixes their order.
        let ends = [OneShot<HTTPError?>(), OneShot<HTTPError?>()]
        let first = beginTask { ends[0].set(await transport.failure(of: hanging)) }
        _ = beginTask { ends[1].set(await transport.failure(of: next)) }
        var request = HTTPRequest(url: server.url())
        request.context.deadline = .now + .seconds(10)
        #expect(await transport.failure(of: request) == nil)
        first.cancel()
        #expect(await ends[0].value() == .cancelled)
        #expect(await ends[1].value() == nil)
        #expect(server.requests.map(\.line) == ["GET / HTTP/1.1", "GET / HTTP/1.1", "PUT / HTTP/1.1"])
    }

    @Test("A read that fails after a rewind fails the body")
    func refused() async throws {
        let url = Self.place(), time = ManualTime(autoAdvances: false), lanes = FileLanes(limit: 1, time: time)
        try Data("0123456789".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let ready = OneShot<HTTPError?>(), woken = OneShot<Void>()
        let pump = FilePump(FileBody(hangingAt: url.path, length: 10), lanes: lanes)
        pump.open(wake: { woken.set(()) }, ready: { ready.set($0) })
        #expect(await ready.value() == nil)
        // The lane has read the whole file when it is free for other work.
        try await lanes.run { () throws(HTTPError) in }
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let isBlocked = OneShot<Void>()
        lanes.post {
            isBlocked.set(())
            gate.wait()
        }
        // The lane takes its turn before the patience passes.
        await isBlocked.value()
        time.advance(by: FileLanes.patience)
        pump.rewind()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { buffer.deallocate() }
        var outcome = pump.read(into: buffer)
        if case .stalled = outcome {
            await woken.value()
            outcome = pump.read(into: buffer)
        }
        guard case .failed(.invalidRequest) = outcome else { Issue.record("\(outcome)"); return }
        pump.close()
    }

    @Test("While a request's file can't be read, other requests complete, and the blocked one can be cancelled")
    func reading() async throws {
        let pipe = Pipe(), server = RawServer.answering(Self.response), transport = CurlTransport()
        defer { pipe.remove() }
        let call = Task { [request = put(server, pipe.body)] in await transport.failure(of: request) }
        let writer = await pipe.writer()
        defer { close(writer) }
        for _ in 0..<3 { #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil) }
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    @Test("A request waits for bytes that arrive late")
    func late() async throws {
        let pipe = Pipe(), server = RawServer.answering(Self.response), transport = CurlTransport()
        defer { pipe.remove() }
        let call = Task { [request = put(server, pipe.body)] in await transport.failure(of: request) }
        let writer = await pipe.writer()
        defer { close(writer) }
        for text in ["01", "234", "56789"] {
            #expect(await transport.failure(of: HTTPRequest(url: server.url())) == nil)
            #expect(write(writer, text, text.utf8.count) == text.utf8.count)
        }
        #expect(await call.value == nil)
        #expect(server.requests.first { $0.line.hasPrefix("PUT") }?.body == Data("0123456789".utf8))
    }

    // MARK: Without a transport

    /// Returns the bytes that a pump supplies, up to `limit`.
    private func contents(_ pump: FilePump, upTo limit: Int, _ wakes: AsyncStream<Void>) async throws -> Data {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 50_000, alignment: 1)
        defer { buffer.deallocate() }
        var bytes = Data()
        var wake = wakes.makeAsyncIterator()
        while bytes.count < limit {
            switch pump.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(limit - bytes.count))) {
            case .bytes(0): return bytes
            case .bytes(let count): bytes.append(contentsOf: buffer[..<count])
            case .stalled: _ = await wake.next()
            case .failed(let error): throw error
            }
        }
        return bytes
    }

    private func opened(_ url: URL) async throws -> (FilePump, AsyncStream<Void>) {
        guard case .file(let file) = try HTTPBody(file: url).storage else { throw HTTPError.invalidRequest("no file") }
        let pump = FilePump(file), ready = OneShot<HTTPError?>(), wakes = AsyncStream.makeStream(of: Void.self)
        pump.open {
            wakes.continuation.yield()
        } ready: { error in
            ready.set(error)
        }
        if let error = await ready.value() { throw error }
        return (pump, wakes.stream)
    }

    @Test("A file is sent completely, and again from its start after a rewind at any point", arguments: [0, 1, 65_536, 400_000, 1_000_000])
    func rewinding(count: Int) async throws {
        let url = Self.place(), bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let (pump, wakes) = try await opened(url)
        #expect(try await contents(pump, upTo: count, wakes) == bytes.prefix(count))
        pump.rewind()
        #expect(try await contents(pump, upTo: .max, wakes) == bytes)
        pump.rewind()
        #expect(try await contents(pump, upTo: .max, wakes) == bytes)
        pump.close()
    }

    @Test("A file that has become shorter fails at its new end")
    func shorter() async throws {
        let url = Self.place()
        try Data(count: 300_000).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let (pump, wakes) = try await opened(url)
        // More than the read-ahead, and less than the original length.
        #expect(truncate(url.path, 270_000) == 0)
        await #expect(throws: HTTPError.self) { try await contents(pump, upTo: .max, wakes) }
        pump.close()
    }
}
