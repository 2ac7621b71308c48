#if SwiftOpenAPI
import Foundation
import HTTPTypes
import Martlet
import MartletBridges
import MartletTesting
import OpenAPIRuntime
import Testing

/// Streams in both directions, and operations over a loopback server.
@Suite(.timeLimit(.minutes(1))) struct StreamedOperationTests {
    struct Price: Codable, Hashable {
        var amount: Int
    }

    private func birds(_ server: MockServer, _ interceptors: [any Interceptor] = []) -> BirdsClient {
        BirdsClient(serverURL: server.url, transport: MartletClientTransport(HTTPClient(interceptors: interceptors)))
    }

    @Test("Events are decoded by the runtime while the server still sends them")
    func events() async throws {
        let server = try await MockServer.start()
        let gate = AsyncStream<Int>.makeStream()
        server.on(
            .get("/prices"),
            .stream(headers: ["Content-Type": "text/event-stream"]) {
                Martlet::HTTPBody(gate.stream.map { Data("event: price\ndata: {\"amount\":\($0)}\n\n".utf8) })
            })
        guard case .ok(let body) = try await birds(server).prices() else { Issue.record("not ok"); return }
        #expect(body.length == .unknown)
        #expect(body.iterationBehavior == .single)
        gate.continuation.yield(1)
        var received: [Int] = []
        for try await event in body.asDecodedServerSentEventsWithJSONData(of: Price.self) {
            #expect(event.event == "price")
            received.append(try #require(event.data).amount)
            // Each event is sent only after the one before it was received.
            if received.count < 3 { gate.continuation.yield(received.count + 1) } else { gate.continuation.finish() }
        }
        #expect(received == [1, 2, 3])
        await server.stop()
    }

    @Test("A response is received only as fast as it is read, and dropping it ends the transfer")
    func downloadBackpressure() async throws {
        let produced = Recorder<Int>(), outcomes = Recorder<Result<Martlet::HTTPResponse<Void>?, HTTPError>>()
        let transport = MockTransport(
            .stream {
                Martlet::HTTPBody {
                    produced.append(1)
                    return Data(repeating: 1, count: 100_000)
                }
            })
        let client = BirdsClient(
            serverURL: OperationTests.serverURL,
            transport: MartletClientTransport(HTTPClient(transport: transport, observers: [CallOutcomes(outcomes: outcomes)])))
        try await read(3, of: client, produced)
        guard case .failure(let error) = try #require(outcomes.values.first) else { Issue.record("\(outcomes.values)"); return }
        #expect(error == .cancelled)
    }

    private func read(_ count: Int, of client: BirdsClient, _ produced: Recorder<Int>) async throws {
        guard case .ok(let body) = try await client.song() else { Issue.record("not ok"); return }
        var chunks = body.makeAsyncIterator()
        for _ in 0..<count { _ = try await chunks.next() }
        #expect(produced.values.count <= count + 1)
    }

    @Test("A request body is produced only as fast as the transport reads it")
    func uploadBackpressure() async throws {
        let produced = Recorder<Int>()
        let chunks = AsyncStream<OpenAPIRuntime::HTTPBody.ByteChunk>(unfolding: {
            produced.append(1)
            return [1, 2, 3]
        })
        let client = BirdsClient(
            serverURL: OperationTests.serverURL,
            transport: MartletClientTransport(HTTPClient(transport: ReadingTransport(chunks: 3, produced: produced))))
        _ = try await client.upload(OpenAPIRuntime::HTTPBody(chunks, length: .unknown))
    }

    @Test("A known length is sent as Content-Length, and a body of unknown length in chunks")
    func lengths() async throws {
        let server = try await MockServer.start { _ in .json(OperationTests.robin, status: 201) }
        let client = birds(server)
        let large = AsyncChunks((0..<10).map { _ in [UInt8](repeating: 7, count: 20_000)[...] })
        for length in [OpenAPIRuntime::HTTPBody.Length.known(200_000), .unknown] {
            _ = try await client.upload(OpenAPIRuntime::HTTPBody(large, length: length, iterationBehavior: .multiple))
        }
        _ = try await client.addBird(Bird(id: 1, name: "Wren"))
        _ = try await client.upload(.once(["a", "b"]))
        let requests = server.requests
        #expect(requests.map(\.body.count) == [200_000, 200_000, requests[2].body.count, 2])
        #expect(requests.map { $0.headers[.contentLength] } == ["200000", nil, "\(requests[2].body.count)", nil])
        #expect(requests.map { $0.headers[.transferEncoding] } == [nil, "chunked", nil, "chunked"])
        #expect(requests.map(\.method) == ["PUT", "PUT", "POST", "PUT"])
        await server.stop()
    }

    @Test(
        "A body of another length than it declares is an error, and the server gets no complete request",
        arguments: [("abc", 2), ("abc", 4), (String(repeating: "a", count: 70_000), 3)])
    func wrongLength(text: String, declared: Int) async throws {
        let server = try await MockServer.start { _ in .json(OperationTests.robin, status: 201) }
        let client = birds(server), body = OpenAPIRuntime::HTTPBody(text, length: .known(Int64(declared)))
        #expect(await underlyingError { try await client.upload(body) } == .invalidRequest)
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test("A multipart body reaches the server with its parts")
    func multipart() async throws {
        let server = try await MockServer.start { _ in .json(OperationTests.robin, status: 201) }
        let parts: MultipartBody<BirdPart> = [
            .title(.init(payload: "A robin")), .photo(.init(payload: .once(["pixel", "s"]), filename: "robin.png")),
        ]
        guard case .created = try await birds(server).addPhoto(parts) else { Issue.record("not created"); return }
        let request = try #require(server.requests.first)
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = String(decoding: request.body, as: UTF8.self)
        for part in ["A robin", "pixels", #"filename="robin.png""#, "image/png"] { #expect(text.contains(part)) }
        await server.stop()
    }

    @Test("Over a server, 100 concurrent calls that are rejected with 401 cause one refresh")
    func oneRefresh() async throws {
        let server = try await MockServer.start { request in
            request.headers[.authorization] == "Bearer new" ? .json(OperationTests.robin) : .status(401)
        }
        let tokens = CountedTokens()
        let client = birds(server, [AuthInterceptor(tokens)])
        try await getHundredBirds(client)
        #expect(tokens.refreshes.values.count == 1)
        #expect(server.requests.filter { $0.headers[.authorization] == "Bearer new" }.count == 100)
        await server.stop()
    }

    @Test("A large response of a known length is streamed with its length")
    func largeResponse() async throws {
        let server = try await MockServer.start()
        server.on(.get("/song"), .data(Data(repeating: 5, count: 1_000_000)))
        guard case .ok(let body) = try await birds(server).song() else { Issue.record("not ok"); return }
        #expect(body.length == .known(1_000_000))
        #expect(body.iterationBehavior == .single)
        #expect(try await Data(collecting: body, upTo: 2_000_000).count == 1_000_000)
        await server.stop()
    }
}
#endif
