import Foundation
import MartletTesting
import Testing

@testable import MartletInterceptors

@Suite("HeadersInterceptor", .timeLimit(.minutes(5)))
struct HeadersInterceptorTests {
    private let transport = MockTransport { _ in .json("{}") }

    private func send(_ interceptor: HeadersInterceptor, headers: HTTPFields = [:]) async throws -> HTTPFields {
        let client = HTTPClient(baseURL: URL(string: "https://h/")!, transport: transport, interceptors: [interceptor])
        try await client.send(Request<EmptyResponse>.get("x", headers: headers))
        return transport.requests.last?.headers ?? [:]
    }

    @Test("Fields are added, with every line of a name, and one set by hand wins")
    func adding() async throws {
        let sent = try await send(HeadersInterceptor(["X-A": "1", "X-B": "2", "X-B": "3"]), headers: ["x-a": "mine"])
        #expect(sent.values(for: "X-A") == ["mine"])
        #expect(sent.values(for: "X-B") == ["2", "3"])
    }

    @Test("The client's default User-Agent gives way, one set by hand does not")
    func userAgent() async throws {
        #expect(try await send(HeadersInterceptor([.userAgent: "Birds/1"]))[.userAgent] == "Birds/1")
        #expect(try await send(HeadersInterceptor([.userAgent: "Birds/1"]), headers: [.userAgent: "Mine"])[.userAgent] == "Mine")
        #expect(try await send(HeadersInterceptor(["X-A": "1"]))[.userAgent] == "Martlet")
        #expect(HTTPClient.Configuration().headers[.userAgent] == UserAgent.default)
    }

    @Test("A value that could inject a line is refused, and nothing is sent")
    func injection() async {
        await #expect(throws: HTTPError.self) { _ = try await send(HeadersInterceptor(["X-A": "1\r\nX-Evil: 1"])) }
        #expect(transport.requests.isEmpty)
    }

    @Test("Credentials are left out where another origin has chosen the target, and other fields are not")
    func credentials() async throws {
        let transport = MockTransport { request in
            request.url.host == "a" ? .status(302, headers: ["Location": "https://b/"]) : .json("{}")
        }
        let fields: HTTPFields = [.authorization: "Bearer t", "X-App": "1"]
        let client = HTTPClient(baseURL: URL(string: "https://a/"), transport: transport, interceptors: [HeadersInterceptor(fields)])
        try await client.send(Request<EmptyResponse>.get("x"))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t", nil])
        #expect(transport.requests.map { $0.headers["X-App"] } == ["1", "1"])
    }

    @Test("An app's metadata is sent in fields, the same in each request")
    func app() async throws {
        let app = AppMetadata(name: "My Birds", version: "2.1", build: "417", platform: "iOS", locale: "de-DE")
        let sent = try await send(.app(app))
        #expect(sent[.userAgent] == "My-Birds/2.1 (iOS; build 417)")
        #expect(sent[.acceptLanguage] == "de-DE")
        #expect(["Name", "Version", "Build", "Platform"].map { sent[HTTPFieldName("X-App-" + $0)] } == ["My Birds", "2.1", "417", "iOS"])
        #expect(try await send(.app(app)) == sent)
    }
}
