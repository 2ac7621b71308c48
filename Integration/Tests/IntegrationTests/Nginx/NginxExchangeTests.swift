import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("nginx: exchanges")
struct NginxExchangeTests {
    @Test("A server that closes without a response causes connectionLost")
    func drop() async throws {
        for (name, scheme) in [("HTTP", "http"), ("HTTPS", "https")] {
            let error = await (try Servers.transport()).failure(try Servers.url(name, "/drop", scheme: scheme))
            #expect(error == .networkError(NetworkFailure(.connectionLost, "")), "\(scheme)")
        }
    }

    @Test("A range request returns the part if the file is unchanged, and the whole file otherwise (RFC 9110 §14)")
    func range() async throws {
        let transport = try Servers.transport()
        let url = try Servers.url("HTTPS", "/1m")
        let whole = try await transport.send(HTTPRequest(url: url))
        let body = try await whole.body.collect()
        let tag = try #require(whole.headers["ETag"])
        let part = try await transport.send(HTTPRequest(url: url, headers: ["Range": "bytes=1000-1999", "If-Range": tag]))
        #expect(part.status == .partialContent)
        #expect(try await part.body.collect() == body[1000..<2000])
        let changed = try await transport.send(HTTPRequest(url: url, headers: ["Range": "bytes=1000-1999", "If-Range": "\"old\""]))
        #expect(changed.status == .ok)
        let beyond = try await transport.send(HTTPRequest(url: url, headers: ["Range": "bytes=99999999-"]))
        #expect(beyond.status.rawValue == 416)
    }

    @Test("A 429 response has its Retry-After field")
    func limited() async throws {
        let response = try await Servers.transport().send(HTTPRequest(url: Servers.url("HTTPS", "/limited")))
        #expect(response.status == .tooManyRequests)
        #expect(response.headers["Retry-After"] == "7")
    }

    @Test("A body of 50 MB arrives complete, buffered and streamed", arguments: ["http", "https"])
    func large(scheme: String) async throws {
        let expected = try Servers.data("www/50m")
        for isStreamed in [false, true] {
            var request = HTTPRequest(url: try Servers.url(scheme == "http" ? "HTTP" : "HTTPS", "/50m", scheme: scheme))
            request.context.streamsBody = isStreamed
            let body = try await Servers.transport().send(request).body.collect()
            #expect(body == expected)
        }
    }

    @Test("The client's total timeout ends a slow response")
    func deadline() async throws {
        let client = HTTPClient(
            baseURL: try Servers.url("HTTPS"), transport: try Servers.transport(), configuration: .init(totalTimeout: .milliseconds(300)))
        await #expect(throws: HTTPError.timeout) { try await client.send(Request<Data>.get("slow")) }
    }
}
