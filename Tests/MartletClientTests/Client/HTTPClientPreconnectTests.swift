import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("Connecting ahead of the first call", .timeLimit(.minutes(5)))
struct HTTPClientPreconnectTests {
    /// A mock that claims to keep connections.
    private struct Connecting: Transport {
        let mock: MockTransport
        var opensConnections: Bool { true }
        var calls: CallGroup? { mock.calls }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> { try await mock.send(request) }
    }

    private func client(
        _ mock: MockTransport, base: String? = "https://api.example:8443/v1?key=s3cret", interceptors: [any Interceptor] = [],
        configuration: HTTPClient.Configuration = .init()
    ) -> HTTPClient {
        HTTPClient(
            baseURL: base.flatMap { URL(string: $0) }, transport: Connecting(mock: mock), interceptors: interceptors,
            configuration: configuration)
    }

    @Test("One OPTIONS request for / goes to the origin of the base URL, without header fields of the client and its interceptors")
    func request() async throws {
        let mock = MockTransport(.status(404))
        var configuration = HTTPClient.Configuration()
        configuration.headers = ["X-Api-Key": "s3cret"]
        let client = client(mock, interceptors: [HeadersInterceptor(["X-Tenant": "1"])], configuration: configuration)
        try await client.preconnect()
        #expect(mock.requests.map(\.method) == [.options] && mock.requests.map(\.url.absoluteString) == ["https://api.example:8443/"])
        #expect(mock.requests[0].headers.map(\.name) == [.accept])
    }

    @Test("A URL is replaced by the root of its origin")
    func url() async throws {
        let mock = MockTransport(.status(200)), url = URL(string: "http://[::1]:81/users?id=1")
        try await client(mock, base: nil).preconnect(to: url)
        #expect(mock.requests.map(\.url.absoluteString) == ["http://[::1]:81/"])
    }

    @Test("Nothing is sent over a transport that opens no connections")
    func mock() async throws {
        let mock = MockTransport(.status(200))
        try await HTTPClient(baseURL: URL(string: "https://h"), transport: mock).preconnect()
        #expect(mock.requests.isEmpty)
    }

    @Test("A redirect, an error status and a large body are not errors, because the server was reached")
    func responses() async throws {
        let mock = MockTransport(
            .status(301, headers: [.location: "https://other.example/"]), .status(500), .data(Data(count: 100_000)))
        let client = client(mock)
        for _ in 0..<3 { try await client.preconnect() }
        #expect(mock.requests.count == 3)
    }

    @Test("A connection that fails throws the client's error")
    func failures() async throws {
        let failure = HTTPError.networkError(NetworkFailure(.hostNotFound, "no such host"))
        let client = client(MockTransport(.failure(failure), .failure(failure)))
        await #expect(throws: failure) { try await client.preconnect() }
        await #expect(throws: APIError.self) { try await client.mappingErrors(HTTPErrorMapper()).preconnect() }
    }

    @Test("Without a URL to connect to, .invalidURL is thrown and nothing is sent", arguments: [nil, "ftp://h/", "/v1"])
    func invalid(base: String?) async throws {
        let mock = MockTransport(.status(200)), client = client(mock, base: base)
        let error = await #expect(throws: HTTPError.self) { try await client.preconnect() }
        guard case .invalidURL? = error else { Issue.record("\(error as Any)"); return }
        #expect(mock.requests.isEmpty)
    }

    @Test("A guard of addresses also applies to connections that are opened ahead")
    func addresses() async throws {
        let mock = MockTransport(.status(200)), client = client(mock, base: "http://127.0.0.1/", interceptors: [PrivateAddressGuard()])
        let error = await #expect(throws: HTTPError.self) { try await client.preconnect() }
        guard case .addressRefused? = error else { Issue.record("\(error as Any)"); return }
        #expect(mock.requests.isEmpty)
    }

    @Test("A client that drains opens no connections")
    func draining() async throws {
        let client = client(MockTransport(.status(200)))
        _ = await client.drain(within: .zero)
        await #expect(throws: HTTPError.draining) { try await client.preconnect() }
    }
}
