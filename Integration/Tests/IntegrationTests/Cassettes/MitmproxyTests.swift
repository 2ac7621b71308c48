import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

@Suite("mitmproxy: replaying its recordings", .timeLimit(.minutes(3)))
struct MitmproxyTests {
    private struct Seen: Equatable {
        var status: HTTPStatus
        var body: Data
        var type: String?
        var cookies: [String]
    }

    private func session(_ client: HTTPClient) async throws -> [Seen] {
        let requests: [Request<Data>] = [
            .get("old?page=2&q=ü"), .get("bytes"), .get("gzip"), .post("json", body: .json(["name": "Bée"])),
            .post("form", body: .form(["name": "Ada & Bob", "city": "Köln"])), .get("latin1"), .delete("item"),
        ]
        var seen: [Seen] = []
        for request in requests {
            let response = try await client.response(for: request)
            let cookies = response.headers.values(for: .setCookie)
            seen.append(Seen(status: response.status, body: response.body, type: response.headers[.contentType], cookies: cookies))
        }
        return seen
    }

    @Test("A HAR that mitmdump recorded replays the same responses without mitmdump and the server")
    func replay() async throws {
        let folder = try ToolFolder()
        let port = try Servers.port("MITM")
        // "zipped", compressed with gzip.
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA6vKLChITQEAV2jC4gYAAAA="))
        let server = try await MockServer.start { request in
            switch request.path {
            case "/old": .status(302, headers: ["Location": "/new"])
            case "/bytes":
                .data(Data(0...255), contentType: "image/png", headers: ["Set-Cookie": "a=1; Path=/", "set-cookie": "b=2; Path=/"])
            case "/gzip": .data(gzip, contentType: "text/plain", headers: ["Content-Encoding": "gzip"])
            case "/json", "/form": .data(request.body, contentType: "text/plain; charset=utf-8")
            case "/latin1": .data(Data([0x4A, 0xE9]), contentType: "text/plain; charset=iso-8859-1")
            case "/item": .status(204)
            default: .json(#"{"path":"\#(request.path)"}"#)
            }
        }
        let mitmdump = try Tool(
            "MARTLET_MITMDUMP",
            [
                "--quiet", "--listen-host", "127.0.0.1", "--listen-port", "\(port)", "--set", "confdir=\(folder.url.path)", "--set",
                "hardump=\(folder.file("mitm.har").path)",
            ])
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .explicit(try Proxy(url: try #require(URL(string: "http://127.0.0.1:\(port)"))))
        let proxied = CurlTransport(configuration)
        try await Tool.waitUntilAnswering(proxied, server.url)
        let live = try await session(HTTPClient(baseURL: server.url, transport: proxied))
        #expect(live[2].body == Data("zipped".utf8))
        try await mitmdump.end()
        await server.stop()

        let replay = try ReplayTransport(contentsOf: folder.file("mitm.har"), matching: MatchingRule(.method, .url, .body))
        let played = try await session(HTTPClient(baseURL: server.url, transport: replay))
        #expect(played.count == live.count)
        for (played, live) in zip(played, live) { #expect(played == live) }
    }
}
