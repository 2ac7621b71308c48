import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

/// Checks that two servers' parsers read Martlet's forms, and that Martlet reads theirs.
@Suite("werkzeug and python-multipart: forms round-trip")
struct MultipartParsersTests {
    private struct Part: Decodable, Equatable {
        var name: String
        var filename: String?
        var content: Data
    }

    private struct Found: Decodable {
        var werkzeug: [Part]
        var pythonMultipart: [Part]
        var written: Data
    }

    @Test("Forms round-trip with unusual names, empty, binary and misleading contents, streams, files and fifty parts")
    func forms() async throws {
        let folder = try ToolFolder()
        try Data().write(to: folder.file("empty.bin"))
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 2) })
        try bytes.write(to: folder.file("naïve “file” 日本.png"))
        let misleading = Data("\r\n--martlet\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n--\r\n----\r\n\r--martlet--\r\n\n\r".utf8)
        try await check(
            [
                .text("plain", "Swift"), .text("empty", ""), .text("naïve'; x=1", "ß\r\n日本語 \u{1F426}\n"), .text("", "nameless"),
                .file("nothing", folder.file("empty.bin")), .file("photo", folder.file("naïve “file” 日本.png")),
                .data("raw", misleading, filename: "b;c=d.bin", contentType: "application/x-odd; a=\"b\""),
                .data("typed", Data("{}".utf8), filename: "v.json", contentType: "application/json", headers: ["X-Own": "1"]),
                .stream("stream", Self.chunks(misleading + bytes), filename: "s"),
                .stream("known", length: 11, filename: "k") { Self.chunks(Data("onetwothree".utf8)) },
            ],
            [
                ("plain", nil, Data("Swift".utf8)), ("empty", nil, Data()),
                ("naïve'; x=1", nil, Data("ß\r\n日本語 \u{1F426}\n".utf8)), ("", nil, Data("nameless".utf8)),
                ("nothing", "empty.bin", Data()), ("photo", "naïve “file” 日本.png", bytes), ("raw", "b;c=d.bin", misleading),
                ("typed", "v.json", Data("{}".utf8)), ("stream", "s", misleading + bytes), ("known", "k", Data("onetwothree".utf8)),
            ], folder)
        let fifty = (0..<50).map { number in ("n\(number)", "\(number).bin", Data(bytes.prefix(number * number * 7))) }
        try await check(fifty.map { .data($0.0, $0.2, filename: $0.1) }, fifty.map { ($0.0, $0.1, $0.2) }, folder)
        try await check([.text("one", "1")], [("one", nil, Data("1".utf8))], folder)
        // Quotes and line breaks are escaped as browsers do. werkzeug decodes `%22` to a quote and writes that quote without escaping.
        try await check(
            [.data("a\"b\r\nc", bytes, filename: "\"d\"\r\n.bin"), .text("x", "\"")],
            [("a%22b%0D%0Ac", "%22d%22%0D%0A.bin", bytes), ("x", nil, Data("\"".utf8))], folder, isWrittenBack: false)
    }

    private static func chunks(_ bytes: Data) -> AsyncStream<Data> {
        AsyncStream { input in
            var rest = bytes
            while !rest.isEmpty {
                input.yield(rest.prefix(777))
                rest = rest.dropFirst(777)
            }
            input.finish()
        }
    }

    private func check(_ parts: [MultipartPart], _ expected: [(String, String?, Data)], _ folder: ToolFolder, isWrittenBack: Bool = true)
        async throws
    {
        let server = try await MockServer.start { _ in .status(200) }
        let client = HTTPClient(baseURL: server.url, transport: CurlTransport())
        try await client.send(Request<EmptyResponse>.post("form", body: .multipart(parts)))
        let received = try #require(server.requests.first)
        await server.stop()
        try received.body.write(to: folder.file("body"))
        let type = try #require(received.headers[.contentType])

        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../servers/check-multipart")
        let output = try await Tool.run("MARTLET_MULTIPART_PYTHON", [script.standardized.path, folder.file("body").path, type])
        let found = try JSONDecoder().decode(Found.self, from: output)
        let wanted = expected.map { Part(name: $0.0, filename: $0.1, content: $0.2) }
        func quoted(_ name: String) -> String { name.replacingOccurrences(of: "%22", with: "\"") }
        #expect(
            found.werkzeug == wanted.map { Part(name: quoted($0.name), filename: $0.filename.map(quoted), content: $0.content) })
        #expect(found.pythonMultipart == wanted)
        for body in isWrittenBack ? [received.body, found.written] : [received.body] {
            var own: [Part] = []
            for try await part in HTTPResponse(status: 200, headers: [.contentType: type], body: body).parts() {
                let disposition = try #require(part.disposition)
                own.append(Part(name: disposition.name ?? "", filename: disposition.filename, content: try await part.body.collect()))
            }
            #expect(own == wanted)
        }
    }
}
