import Foundation
import MartletTesting
import MartletTransfers
import Testing

/// The forms of a call that `EndpointClient` has for endpoints and for requests.
@Suite("Downloads, uploads and streams of endpoints and requests", .timeLimit(.minutes(5)))
struct TransferFormsTests {
    private struct Song: Endpoint { let path: Path = "songs/1" }
    private struct Log: Endpoint { let path: Path = "log" }
    private struct Bird: Codable, Sendable, Equatable { let name: String }
    private struct Birds: Endpoint {
        typealias Response = [Bird]
        let path: Path = "birds"
    }
    private struct Next: Endpoint {
        typealias Response = Bird
        let path: Path = "birds"
        var method: HTTPMethod = .get
        var body: RequestBody?
    }

    private let song = Data("la la".utf8)
    private let line = #"{"name":"a"}"#

    private func client(_ reply: MockReply) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport { _ in reply })
    }

    private func finished<Value>(_ updates: ValueSequence<TransferUpdate<Value>, HTTPError>) async throws -> [Value] {
        try await updates.all().compactMap { if case .finished(let value) = $0 { value } else { nil } }
    }

    @Test("A download writes the same file for an endpoint, a request and a request with a response type")
    func file() async throws {
        let folder = try Folder(), client = client(.data(song))
        try await client.download(Song(), to: folder.file("a"))
        try await client.download(.get("songs/1"), to: folder.file("b"))
        try await client.download(Request<Bird>.get("songs/1"), to: folder.file("c"))
        #expect(try await finished(client.downloadUpdates(Song(), to: folder.file("d"))).map(\.url) == [folder.file("d")])
        #expect(try await finished(client.downloadUpdates(.get("songs/1"), to: folder.file("e"))).map(\.url) == [folder.file("e")])
        let typed = client.downloadUpdates(Request<Bird>.get("songs/1"), to: folder.file("f"))
        #expect(try await finished(typed).map(\.bytes) == [5])
        for name in ["a", "b", "c", "d", "e", "f"] { #expect(try Data(contentsOf: folder.file(name)) == song) }
    }

    @Test("A download into a folder has the server's name for an endpoint, a request and a request with a response type")
    func folder() async throws {
        let reply = MockReply.data(song, headers: ["Content-Disposition": "attachment; filename=\"la.ogg\""])
        let client = client(reply), targets = try (0..<6).map { _ in try Folder() }
        let names = [
            try await client.download(Song(), into: targets[0].url).url, try await client.download(.get("x"), into: targets[1].url).url,
            try await client.download(Request<Bird>.get("x"), into: targets[2].url).url,
            try await finished(client.downloadUpdates(Song(), into: targets[3].url))[0].url,
            try await finished(client.downloadUpdates(.get("x"), into: targets[4].url))[0].url,
            try await finished(client.downloadUpdates(Request<Bird>.get("x"), into: targets[5].url))[0].url,
        ]
        #expect(names.map(\.lastPathComponent) == Array(repeating: "la.ogg", count: 6))
        for target in targets { #expect(try Data(contentsOf: target.file("la.ogg")) == song) }
    }

    @Test("An upload returns the decoded response for an endpoint and for a type that the call names")
    func upload() async throws {
        let client = client(.json(line)), endpoint = Next(method: .post, body: .data(song))
        #expect(try await client.upload(endpoint) == Bird(name: "a"))
        #expect(try await client.upload(.post("x", body: .data(song)), as: Bird.self) == Bird(name: "a"))
        #expect(try await client.upload(Song(), as: Bird.self) == Bird(name: "a"))
        #expect(try await finished(client.uploadUpdates(endpoint)) == [Bird(name: "a")])
        #expect(try await finished(client.uploadUpdates(Song(), as: Bird.self)) == [Bird(name: "a")])
    }

    @Test("Lines, records and elements arrive for an endpoint, a request and a type that the call names")
    func streams() async throws {
        let bird = [Bird(name: "a")], record = "\u{1E}\(line)\n"
        #expect(try await client(.text("a\nb")).lines(Log()).all() == ["a", "b"])
        #expect(try await client(.text("a\nb")).lines(Request<Bird>.get("x")).all() == ["a", "b"])
        #expect(try await client(.text(line)).jsonLines(Next()).all() == bird)
        #expect(try await client(.text(record)).jsonSequence(Next()).all() == bird)
        #expect(try await client(.text(record)).jsonSequence(Log(), as: Bird.self).all() == bird)
        #expect(try await client(.json("[\(line)]")).elements(Birds()).all() == bird)
        #expect(try await client(.json("[\(line)]")).elements(Log(), as: Bird.self).all() == bird)
    }
}
