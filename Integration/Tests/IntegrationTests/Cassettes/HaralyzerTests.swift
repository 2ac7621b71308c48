import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

@Suite("haralyzer: recordings are valid HAR 1.2")
struct HaralyzerTests {
    private struct Found: Decodable, Equatable {
        var method: String
        var url: String
        var status: Int
        var type: String
        var text: String?
        var fields: Int
    }

    @Test("A recording of all kinds of exchanges is valid HAR, and haralyzer reads the requests and responses")
    func recording() async throws {
        let folder = try ToolFolder()
        let server = try await MockServer.start { request in
            switch request.path {
            case "/old": .status(302, headers: ["Location": "/new?token=abc"])
            case "/bytes":
                .data(Data(0...255), contentType: "image/png", headers: ["Set-Cookie": "a=1; Path=/; HttpOnly", "set-cookie": "b=2"])
            case "/stream": .stream("one", "two").trailers(["X-Sum": "3"])
            case "/gone": .disconnect
            default: .json(#"{"path":"\#(request.path)","password":"hunter2"}"#)
            }
        }
        let recorder = RecordingTransport(wrapping: CurlTransport(), to: folder.file("all.har"), options: .init(maxBodyBytes: 1000))
        let client = HTTPClient(baseURL: server.url, transport: recorder)
        _ = try await client.send(Request<JSONValue>.get("old?page=2&q=ü"))
        _ = try await client.send(Request<Data>.get("bytes"))
        for try await _ in try await client.stream(Request<Data>.get("stream")).body {}
        _ = try await client.send(Request<JSONValue>.post("json", body: .json(["name": "Ada", "pin": 1234])))
        _ = try await client.send(Request<JSONValue>.post("form", body: .form(["name": "Ada & Bob", "password": "hunter2"])))
        _ = try await client.send(Request<JSONValue>.put("binary", body: .data(Data([0xFF, 0xFE]))))
        _ = try await client.send(Request<JSONValue>.put("large", body: .data(Data(count: 2000))))
        _ = await client.result(of: Request<Data>.post("gone"))
        try await recorder.save()
        await server.stop()

        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../servers/check-har")
        let output = try await Tool.run("MARTLET_PYTHON", [script.standardized.path, folder.file("all.har").path])
        let found = try JSONDecoder().decode([Found].self, from: output)
        let base = server.url.absoluteString
        #expect(found.map(\.status) == [302, 200, 200, 200, 200, 200, 200, 200, 0])
        #expect(found.map(\.method) == ["GET", "GET", "GET", "GET", "POST", "POST", "PUT", "PUT", "POST"])
        #expect(found[0].url == base + "old?page=2&q=%C3%BC" && found[1].url == base + "new?token=%E2%80%B9redacted%E2%80%BA")
        #expect(found[1].text == #"{"path":"/new","password":"‹redacted›"}"#)
        #expect(found[2].type == "image/png" && found[2].text == Data(0...255).base64EncodedString())
        #expect(found[3].text == "onetwo")
    }
}
