import Foundation
import MartletFoundation
import MartletTesting
import MartletURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession with typed requests, and HTTPClient over URLSessionTransport", .timeLimit(.minutes(5)))
struct URLSessionSendTests {
    private struct User: Codable, Equatable, Sendable {
        let id: Int
    }

    private struct GetUser: Endpoint {
        typealias Response = User
        let path: Path = "users/7"
    }

    private struct Raw: Endpoint { let path: Path = "raw" }

    private let session = URLSession(configuration: .ephemeral)

    @Test("A session sends a typed request and returns the decoded response")
    func value() async throws {
        let server = try await MockServer.start { _ in .json(#"{"id": 7}"#) }
        let user: User = try await session.send(.get("users/\(7)"), baseURL: server.url)
        #expect(user == User(id: 7))
        let sent = try await session.response(for: Request<User>.post("users", body: .json(User(id: 8))), baseURL: server.url)
        #expect(sent.status == .ok)
        #expect(sent.body == user)
        #expect(server.requests.map(\.description) == ["GET /users/7 HTTP/1.1", "POST /users HTTP/1.1"])
        #expect(server.requests.last?.body == Data(#"{"id":8}"#.utf8))
        #expect(server.requests.last?.headers[.contentType] == "application/json")
    }

    @Test("A session sends endpoints and returns the value, the whole response, or the type that the call names")
    func endpoints() async throws {
        let server = try await MockServer.start { _ in .json(#"{"id": 7}"#, headers: ["X-Page": "2"]) }
        #expect(try await session.send(GetUser(), baseURL: server.url) == User(id: 7))
        let response = try await session.response(for: GetUser(), baseURL: server.url)
        #expect(response.body == User(id: 7) && response.headers["X-Page"] == "2")
        #expect(try await session.send(Raw(), as: User.self, baseURL: server.url) == User(id: 7))
        #expect(server.requests.map(\.path) == ["/users/7", "/users/7", "/raw"])
    }

    @Test("A session's errors are those of a client: the status with its body, and a body that is not JSON")
    func errors() async throws {
        let server = try await MockServer.start()
        server.enqueue(.text("gone", status: 410), .text("x"))
        let status = await #expect(throws: HTTPError.self) { let _: User = try await session.send(.get("x"), baseURL: server.url) }
        #expect(status?.status == .gone)
        #expect(status?.response?.body == Data("gone".utf8))
        let decoding = await #expect(throws: HTTPError.self) { let _: User = try await session.send(.get("x"), baseURL: server.url) }
        guard case .decodingFailed = decoding else {
            Issue.record("\(String(describing: decoding))")
            return
        }
    }

    @Test("A cancelled task stops the exchange of a session")
    func cancelled() async throws {
        let server = try await MockServer.start()
        server.enqueue(.silence)
        let session = session
        let call = Task { () -> HTTPError? in
            do throws(HTTPError) {
                let _: User = try await session.send(.get("x"), baseURL: server.url)
                return nil
            } catch { return error }
        }
        try await server.waitForRequests()
        call.cancel()
        #expect(await call.value == .cancelled)
        try await server.waitForOpenConnections()
    }

    @Test("A client over the transport follows redirects by its own rules and removes credentials at another origin")
    func redirects() async throws {
        let other = try await MockServer.start { _ in .json(#"{"id": 1}"#) }
        let target = other.url.appendingPathComponent("there").absoluteString
        let server = try await MockServer.start { _ in .status(303, headers: ["Location": target]) }
        let client = HTTPClient(baseURL: server.url, transport: URLSessionTransport())
        var request = Request<User>.post("x", body: .json(User(id: 1)))
        request.headers = ["Authorization": "Bearer secret"]
        #expect(try await client.send(request) == User(id: 1))
        #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer secret"])
        #expect(other.requests.map { $0.headers[.authorization] } == [nil])
        #expect(other.requests.map(\.description) == ["GET /there HTTP/1.1"])
    }

    @Test("A client's total timeout ends an exchange over the transport")
    func timeout() async throws {
        let server = try await MockServer.start { _ in .silence }
        let client = HTTPClient(
            baseURL: server.url, transport: URLSessionTransport(), configuration: .init(totalTimeout: .milliseconds(50)))
        await #expect(throws: HTTPError.timeout) { let _: User = try await client.send(.get("x")) }
    }
}
