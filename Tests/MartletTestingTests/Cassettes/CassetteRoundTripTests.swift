import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("Recording and replaying", .timeLimit(.minutes(5))) struct CassetteRoundTripTests {
    /// Random messages with any content that HTTP can carry.
    private struct Draw {
        var generator: SeededGenerator

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

        mutating func body() -> Data {
            switch number(0..<5) {
            case 0: Data()
            case 1: Data((0..<number(1..<300)).map { _ in UInt8.random(in: 0...255, using: &generator) })
            case 2: Data((0..<number(1..<300)).map { _ in UInt8.random(in: 0x20...0x7E, using: &generator) })
            case 3: Data("{\"a\":\"\\u0000 ü \u{2028} 😀\\n\", \"n\":[1.50,-0]}".utf8)
            default: Data("\u{FEFF}line\r\nline\u{0}\u{7F}\u{85}é".utf8)
            }
        }

        mutating func fields() -> HTTPFields {
            var fields: HTTPFields = [:]
            for _ in 0..<number(0..<6) {
                let name = ["X-A", "x-a", "X-B", "Vary", "Set-Cookie"].randomElement(using: &generator)!
                let bytes = (0..<number(0..<20)).map { _ in
                    [UInt8.random(in: 0x21...0x7E, using: &generator), UInt8.random(in: 0x80...0xFF, using: &generator), 0x20, 0x09]
                        .randomElement(using: &generator)!
                }
                fields.append(nameBytes: name.utf8, valueBytes: bytes)
            }
            let types = ["application/octet-stream", "application/json", "text/plain; charset=iso-8859-1", "text/plain", "image/png"]
            if number(0..<2) == 0 { fields[.contentType] = types.randomElement(using: &generator) }
            return fields
        }

        mutating func request(_ index: Int) -> HTTPRequest {
            let method = ["GET", "POST", "PUT", "DELETE", "HEAD", "X-OWN"].randomElement(using: &generator)!
            let query = ["", "?", "?a=1&a=2&b", "?q=%C3%BC+x%26", "?a=;/?:@"].randomElement(using: &generator)!
            return Har.request(
                "https://api.example/\(index)/%2F\(query)", method: HTTPMethod(rawValue: method), headers: fields(),
                body: ["GET", "HEAD"].contains(method) ? nil : HTTPBody(body()), isStreamed: number(0..<2) == 0)
        }

        mutating func reply() -> MockReply {
            let status = [200, 201, 204, 206, 301, 304, 307, 404, 500, 599].randomElement(using: &generator)!
            var headers = fields()
            if [301, 307].contains(status) { headers[.location] = "/next?page=2" }
            let reply = MockReply.data(body(), status: HTTPStatus(rawValue: status), headers: headers)
            return number(0..<3) == 0 ? reply.chunked(1, 7, 50).trailers(["X-Sum": "1", "x-sum": "2"]) : reply
        }
    }

    private struct Seen: Equatable {
        var response: HTTPResponse<Data>
        var lines: [[UInt8]] = []
        var trailers: HTTPFields

        init(_ response: HTTPResponse<HTTPBody>) async throws {
            let body = try await response.body.collect()
            self.response = response.map { _ in body }
            trailers = response.metadata.trailers
            var lines: [[UInt8]] = []
            response.headers.forEachLineOfBytes { lines.append($0 + [0] + $1) }
            self.lines = lines
        }
    }

    @Test("Random exchanges are replayed unchanged: bytes, duplicate fields in order, redirects, trailers", arguments: 0..<8)
    func random(seed: Int) async throws {
        var draw = Draw(generator: SeededGenerator(seed: UInt64(seed)))
        let (requests, replies) = ((0..<40).map { draw.request($0) }, (0..<40).map { _ in draw.reply() })
        let folder = try TemporaryFolder()
        let options = RecordingOptions(redacting: .writingSecrets)
        let recorder = RecordingTransport(wrapping: MockTransport(replies: replies), to: folder.file(), options: options)
        var seen: [Seen] = []
        for request in requests { seen.append(try await Seen(recorder.send(request))) }
        try await recorder.save()

        let replay = try ReplayTransport(contentsOf: folder.file())
        for (request, before) in zip(requests, seen) {
            let after = try await Seen(replay.send(request))
            #expect(after == before, "\(request)")
        }
        try replay.verify()
        #expect(replay.requests.count == 40)
        // With masked secrets, the same requests match the same entries.
        let hidden = RecordingTransport(wrapping: MockTransport(replies: replies), to: folder.file())
        for request in requests { _ = try await hidden.send(request).body.collect() }
        try await hidden.save()
        let again = try ReplayTransport(contentsOf: folder.file())
        for request in requests { _ = try await again.send(request) }
        try again.verify()
    }

    private struct Item: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    /// Simulates an app: signs in, follows a redirect, posts, reads bytes and gets an error.
    private func session(_ client: HTTPClient) async throws -> [String] {
        let item = try await client.send(Request<Item>.get("old"))
        let created = try await client.send(Request<Item>.post("items", body: .json(["id": 2, "name": "Bée"])))
        let bytes = try await client.send(Request<Data>.get("bytes"))
        let streamed = try await client.stream(Request<Data>.get("stream"))
        let text = try await streamed.body.collect().text
        let missing = await client.result(of: Request<Item>.get("missing"))
        let response = try await client.response(for: Request<Data>.get("bytes"))
        return ["\(item)", "\(created)", "\(Array(bytes))", text, "\(missing)", "\(response.headers.values(for: .setCookie))"]
    }

    @Test("A session with a server has the same results when the cassette replays it")
    func server() async throws {
        let server = try await MockServer.start { request in
            switch request.path {
            case "/api/old": .status(302, headers: ["Location": "/api/items/1"])
            case "/api/items/1": .json(#"{"id":1,"name":"Ada"}"#)
            case "/api/items": .data(request.body, contentType: "application/json", status: 201)
            case "/api/bytes": .data(Data(0...255), headers: ["Set-Cookie": "a=1; Path=/", "set-cookie": "b=2; Path=/"])
            case "/api/stream": .stream("one ", "two ", "three")
            default: .json(#"{"title":"nobody"}"#, status: 404)
            }
        }
        let folder = try TemporaryFolder()
        let base = server.url.appendingPathComponent("api")
        let environment = ["MARTLET_RECORD": "1"]
        let mode = CassetteMode.environment(PlatformTransport())
        let recording = try Cassette(at: folder.file(), mode: mode, environment: environment)
        #expect(recording.isRecording)
        let live = try await session(HTTPClient(baseURL: base, transport: recording))
        try await recording.finish()
        await server.stop()

        let playing = try Cassette(at: folder.file(), mode: mode, environment: [:])
        #expect(!playing.isRecording)
        var played = try await session(HTTPClient(baseURL: base, transport: playing))
        try await playing.finish()
        #expect(played.popLast() == #"["a=‹redacted›; Path=/", "b=‹redacted›; Path=/"]"#)
        #expect(played == live.dropLast())
    }
}
