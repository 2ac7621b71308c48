import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("httpbin")
struct HTTPBinTests {
    private struct Echo: Decodable, Sendable {
        var json: JSONValue?
        var form: [String: String]?
        var headers: [String: String]
    }

    private func client() throws -> HTTPClient { HTTPClient(baseURL: try Servers.url("HTTPBIN", scheme: "http")) }

    @Test("Each content coding is decoded", arguments: ["gzip", "deflate", "brotli"])
    func encodings(name: String) async throws {
        let value: JSONValue = try await client().send(Request<JSONValue>.get("\(name)"))
        guard case .object(let members) = value else { Issue.record("\(value)"); return }
        #expect(members[name == "gzip" ? "gzipped" : name == "brotli" ? "brotli" : "deflated"] == true)
    }

    @Test("Missing Basic credentials cause a 401, and correct ones are accepted")
    func basic() async throws {
        let client = try client()
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("basic-auth/me/pass")) }
        #expect(error?.status == .unauthorized)
        let credentials = Data("me:pass".utf8).base64EncodedString()
        let request = Request<EmptyResponse>(method: .get, path: "basic-auth/me/pass", headers: ["Authorization": "Basic \(credentials)"])
        try await client.send(request)
    }

    @Test("A slow body is streamed as it arrives, and the total timeout ends it")
    func drip() async throws {
        let client = try client()
        let response = try await client.stream(Request<Data>.get("drip?numbytes=10&duration=1&delay=0"))
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        #expect(count == 10)
        let hasty = HTTPClient(baseURL: try Servers.url("HTTPBIN", scheme: "http"), configuration: .init(totalTimeout: .milliseconds(400)))
        await #expect(throws: HTTPError.timeout) { try await hasty.send(Request<Data>.get("drip?numbytes=10&duration=5&delay=0")) }
    }

    @Test("Redirects are followed and counted, and too many are an error")
    func redirects() async throws {
        let response = try await client().response(for: Request<JSONValue>.get("redirect/5"))
        #expect(response.metadata.redirects.count == 5)
        await #expect(throws: HTTPError.self) { try await client().send(Request<JSONValue>.get("redirect/25")) }
    }

    @Test("JSON and form bodies arrive unchanged")
    func bodies() async throws {
        let client = try client()
        let json = try await client.send(Request<Echo>.post("post", body: .json(["name": "Ada & Bob", "age": 36])))
        #expect(json.json == .object(["name": "Ada & Bob", "age": 36]))
        let form = try await client.send(Request<Echo>.post("post", body: .form(["name": "Ada & Bob + ü", "age": 36])))
        #expect(form.form == ["name": "Ada & Bob + ü", "age": "36"])
    }

    @Test("The server receives a body over HTTP/2 completely", arguments: [10, 5_000_000])
    func http2Upload(size: Int) async throws {
        let transport = try Servers.transport()
        let url = try Servers.url("HTTPS", "/httpbin/post")
        let text = String(repeating: "x", count: size)
        let request = HTTPRequest(method: .post, url: url, headers: ["Content-Type": "text/plain"], body: HTTPBody(Data(text.utf8)))
        let response = try await transport.send(request)
        #expect(response.metadata.version == .http2)
        let body = try await response.body.collect()
        #expect(body.count > size)
        #expect(String(decoding: body, as: UTF8.self).contains(text))
    }
}
