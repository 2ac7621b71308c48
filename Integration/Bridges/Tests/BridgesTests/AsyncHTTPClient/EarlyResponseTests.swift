#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import Martlet
import MartletBridges
import MartletCurl
import MartletTesting
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import MartletMockServer

/// Responses that are complete while the body of their request is still being sent (RFC 9112 §9.5).
@Suite("A final response before the end of the request's body", .timeLimit(.minutes(2)))
struct EarlyResponseTests {
    /// The transports, which must have the same outcomes.
    enum Kind: CaseIterable {
        case asyncHTTPClient, curl

        var transport: any Transport {
            switch self {
            case .asyncHTTPClient: AsyncHTTPClientTransport(eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup)
            case .curl: CurlTransport()
            }
        }
    }

    /// The kinds of bodies, each larger than what sockets take from a connection whose server does not read.
    enum Body: CaseIterable {
        case data, file, stream, streamOfKnownLength

        static let count = 5 << 20

        func make(in folder: URL) throws -> HTTPBody {
            switch self {
            case .data: return HTTPBody(Data(count: Body.count))
            case .file:
                let file = folder.appending(path: "body")
                try Data(count: Body.count).write(to: file)
                return try HTTPBody(file: file)
            case .stream: return HTTPBody(makeReader: { Zeros() })
            case .streamOfKnownLength: return HTTPBody(length: Int64(Body.count), makeReader: { Zeros() })
            }
        }

        private final class Zeros: HTTPBodyReader {
            private let rest = Mutex(Body.count)

            func next() -> Data? {
                rest.withLock { rest in
                    let count = min(rest, 100_000)
                    rest -= count
                    return count == 0 ? nil : Data(count: count)
                }
            }

            func cancel(_ reason: HTTPError) { rest.withLock { $0 = 0 } }
        }
    }

    enum Answer: CaseIterable {
        case empty, whole, split, chunked, lateEnd, untilClose

        static let fields = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n"

        /// The end of the server's side of the connection.
        static let end = "end"

        /// What the server sends, with a pause before each further piece.
        var pieces: [String] {
            switch self {
            case .empty: [Answer.fields + "Content-Length: 0\r\n\r\n"]
            case .whole: [Answer.fields + "Content-Length: 5\r\n\r\nhello"]
            case .split: [Answer.fields + "Content-Length: 5\r\n\r\n", "hel", "lo"]
            case .chunked: [Answer.fields + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"]
            case .lateEnd: [Answer.fields + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "0\r\n\r\n"]
            case .untilClose: [Answer.fields + "Connection: close\r\n\r\nhello", Answer.end]
            }
        }

        var content: Data { Data(self == .empty ? "".utf8 : "hello".utf8) }
    }

    /// Runs a test with an empty folder.
    private func inFolder(_ run: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await run(folder)
    }

    @Test(
        "A 401 is the response, however it ends, and the next request is sent on another connection", arguments: Kind.allCases,
        Answer.allCases)
    func unauthorized(_ kind: Kind, _ answer: Answer) async throws {
        let server = try await StallingServer.start(answer.pieces)
        try await inFolder { folder in
            for body in Body.allCases {
                let transport = kind.transport
                for isStreamed in [false, true] {
                    var request = HTTPRequest(method: .post, url: server.url, body: try body.make(in: folder))
                    request.context.streamsBody = isStreamed
                    let response = try await transport.send(request)
                    #expect(response.status == .unauthorized && response.headers["WWW-Authenticate"] == "Bearer", "\(body)")
                    #expect(try await response.body.collect() == answer.content, "\(body)")
                    #expect(try await transport.send(HTTPRequest(url: server.url)).body.collect() == Data("next".utf8), "\(body)")
                }
            }
        }
        try await server.stop()
    }

    @Test("A 307 is followed, with the whole body from its first byte", arguments: Kind.allCases, Body.allCases)
    func redirect(_ kind: Kind, _ body: Body) async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(307, headers: ["Location": "/second"]).beforeBody(), .text("done"))
        try await inFolder { folder in
            let client = Martlet::HTTPClient(baseURL: server.url, transport: kind.transport)
            let text = try await client.send(Request<String>.post("first", body: .stream(try body.make(in: folder))))
            #expect(text == "done")
        }
        #expect(server.requests.map(\.target) == ["/first", "/second"])
        #expect(server.requests.last?.body == Data(count: Body.count))
        await server.stop()
    }

    @Test("A response that is no error waits until the body has been sent", arguments: Kind.allCases, ["", "hello"])
    func accepted(_ kind: Kind, _ content: String) async throws {
        let server = try await StallingServer.start(
            ["HTTP/1.1 202 Accepted\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"], reads: true)
        try await inFolder { folder in
            let transport = kind.transport
            for body in Body.allCases {
                let before = server.received
                let response = try await transport.send(HTTPRequest(method: .post, url: server.url, body: try body.make(in: folder)))
                #expect(response.status == .accepted, "\(body)")
                #expect(try await response.body.collect() == Data(content.utf8), "\(body)")
                // The server may not have read the last bytes yet.
                try await server.waitForBytes(before + Body.count)
            }
        }
        try await server.stop()
    }

    @Test(
        "So it is over HTTP/2, with the end of the stream in a frame of its own", .enabled(if: MockServer.TLS.isAvailable),
        arguments: [0, 1], Body.allCases)
    func http2(delay: Int, body: Body) async throws {
        let server = try await RefusingServer.start(delay: delay)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        let client = AsyncHTTPClient::HTTPClient(configuration: .init(tlsConfiguration: tls, redirectConfiguration: .disallow))
        let transport = AsyncHTTPClientTransport(client)
        let url = try #require(URL(string: "https://localhost:\(server.localAddress?.port ?? 0)/"))
        try await inFolder { folder in
            for isStreamed in [false, true] {
                var request = HTTPRequest(method: .post, url: url, body: try body.make(in: folder))
                request.context.streamsBody = isStreamed
                let response = try await transport.send(request)
                #expect(response.status == .unauthorized && response.metadata.version == .http2)
                #expect(try await response.body.collect() == Data())
            }
        }
        try await client.shutdown()
        try await server.close()
    }

    // MARK: The reading of the body

    /// Ends a stream when it is released.
    private final class Owner: Sendable {
        private let end: AsyncStream<Never>.Continuation

        init(_ end: AsyncStream<Never>.Continuation) { self.end = end }

        deinit { end.finish() }
    }

    /// Returns a body without an end, and the stream that ends when the body and its reading are released.
    ///
    /// Sockets do not take a whole chunk from a connection whose server does not read.
    private func endless() -> (HTTPBody, released: AsyncStream<Never>) {
        let (released, end) = AsyncStream.makeStream(of: Never.self)
        let owner = Owner(end)
        return (HTTPBody { withExtendedLifetime(owner) { Data(count: 16 << 20) } }, released)
    }

    private func post(_ body: HTTPBody, to server: StallingServer, over transport: any Transport) -> Task<HTTPStatus?, Never> {
        Task { try? await transport.send(HTTPRequest(method: .post, url: server.url, body: body)).status }
    }

    @Test("The reading of a body ends when its call is cancelled, although the server does not read", arguments: Kind.allCases)
    func cancelled(_ kind: Kind) async throws {
        let server = try await StallingServer.start([])
        let transport = kind.transport
        let (call, released) = {
            let (body, released) = endless()
            return (post(body, to: server, over: transport), released)
        }()
        try await server.waitForStall()
        call.cancel()
        #expect(await call.value == nil)
        for await _ in released {}
        try await server.stop()
    }

    @Test("So it does when a 413 has arrived", arguments: Kind.allCases, ["", "hello"])
    func refused(_ kind: Kind, _ content: String) async throws {
        let server = try await StallingServer.start(
            ["", "", "", "HTTP/1.1 413 Content Too Large\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"])
        let transport = kind.transport
        let (call, released) = {
            let (body, released) = endless()
            return (post(body, to: server, over: transport), released)
        }()
        #expect(await call.value == 413)
        for await _ in released {}
        try await server.stop()
    }
}

/// A server that replies to a POST when its first bytes have arrived, and then reads no more unless `reads` is true. A GET gets “next”.
private final class StallingServer: Sendable {
    private struct State {
        var received = 0
        var hasStalled = false
        var waiters: [(isMet: @Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let channel = Mutex<(any Channel)?>(nil)

    var url: URL { URL(string: "http://127.0.0.1:\(channel.withLock { $0?.localAddress?.port ?? 0 })/")! }
    /// The number of bytes of POSTs that the server has read.
    var received: Int { state.withLock { $0.received } }

    static func start(_ pieces: [String], reads: Bool = false) async throws -> StallingServer {
        let server = StallingServer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: 64 * 1024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Connection(server, pieces, reads: reads))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        return server
    }

    func stop() async throws { try await channel.withLock { $0 }?.close().get() }

    /// Waits until the server has left bytes of a POST unread for some time.
    func waitForStall() async throws { await wait { $0.hasStalled } }

    func waitForBytes(_ count: Int) async throws { await wait { $0.received >= count } }

    private func wait(_ isMet: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { waiter in
            state.withLock { $0.waiters.append((isMet, waiter)) }
            note { _ in }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        let met = state.withLock { state in
            change(&state)
            let now = state
            defer { state.waiters.removeAll { $0.isMet(now) } }
            return now.waiters.filter { $0.isMet(now) }
        }
        for waiter in met { waiter.1.resume() }
    }

    private final class Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: StallingServer
        private let pieces: [String]
        private let reads: Bool

        init(_ server: StallingServer, _ pieces: [String], reads: Bool) { (self.server, self.pieces, self.reads) = (server, pieces, reads) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if bytes.readableBytesView.starts(with: "GET ".utf8) {
                return send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext", context)
            }
            let isFirst = bytes.readableBytesView.starts(with: "POST ".utf8)
            server.note { $0.received += bytes.readableBytes }
            guard isFirst else { return }
            if !reads { try? context.channel.syncOptions?.setOption(.autoRead, value: false) }
            for (number, piece) in pieces.enumerated() {
                if number == 0 { send(piece, context) } else { later(number, context) { self.send(piece, context) } }
            }
            later(3, context) { self.server.note { $0.hasStalled = true } }
        }

        private func later(_ number: Int, _ context: ChannelHandlerContext, _ run: @escaping () -> Void) {
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50 * Int64(number)), run)
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            if text == EarlyResponseTests.Answer.end { return context.close(mode: .output, promise: nil) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}

/// A server of HTTP/2 that answers each request with a 401 without a length, and reads no body.
private final class RefusingServer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The pause before the end of the stream, in twentieths of a second.
    private let delay: Int

    init(delay: Int) { self.delay = delay }

    static func start(delay: Int) async throws -> any Channel {
        let identity = MockServer.TLS.localhost
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKey), format: .pem)))
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            let pipeline = stream.pipeline.syncOperations
                            try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                            try pipeline.addHandler(RefusingServer(delay: delay))
                        }
                    }
                }
            }
            .bind(host: "localhost", port: 0).get()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head = unwrapInboundIn(data) else { return }
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponseHead(version: .http2, status: .unauthorized))), promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50 * Int64(delay))) {
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
#endif
