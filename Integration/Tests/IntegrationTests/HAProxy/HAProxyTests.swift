import Foundation
import Martlet
import MartletCurl
import Testing

@Suite("haproxy: bad days")
struct HAProxyTests {
    @Test("a server that swallows the request and says nothing is a timeout")
    func silentDrop() async throws {
        let client = HTTPClient(baseURL: try Servers.url("SILENT", scheme: "http"), configuration: .init(totalTimeout: .milliseconds(300)))
        await #expect(throws: HTTPError.timeout) { try await client.send(Request<String>.get("x")) }
    }

    @Test("a connection that is closed as soon as it stands is a connection lost, and a POST over it is not sent again")
    func reset() async throws {
        let url = try Servers.url("RESET", scheme: "http")
        for method in [HTTPMethod.get, .post] {
            let error = await #expect(throws: HTTPError.self) { try await CurlTransport().send(HTTPRequest(method: method, url: url)) }
            #expect(error == .networkError(NetworkFailure(.connectionLost, "")))
        }
    }

    @Test("a 503 with Retry-After is an answer like any other")
    func busy() async throws {
        let response = try await CurlTransport().send(HTTPRequest(url: Servers.url("BUSY", scheme: "http")))
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers["Retry-After"] == "3")
        #expect(try await response.body.collect() == Data("busy".utf8))
    }
}
