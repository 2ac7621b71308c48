import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("The fields of a client's configuration", .timeLimit(.minutes(5)))
struct DefaultFieldsTests {
    private static let fields: HTTPFields = [.authorization: "Bearer t", "X-Api-Key": "k", "X-App": "1", .userAgent: "Birds/1"]

    private func client(_ transport: MockTransport, base: String?, harmless: Set<HTTPFieldName> = []) -> HTTPClient {
        HTTPClient(
            baseURL: base.flatMap { URL(string: $0) }, transport: transport,
            configuration: .init(headers: Self.fields, harmlessFields: harmless))
    }

    /// Returns the fields of the requests that a call leads to, without `Accept`.
    private func sent(
        _ request: Request<Data>, base: String? = "https://api.example/v1", harmless: Set<HTTPFieldName> = [], redirects: [String] = []
    ) async throws -> [HTTPFields] {
        let hops = redirects.map { MockReply.status(307, headers: [.location: $0]) }
        let transport = MockTransport(replies: hops + [MockReply.text("x")])
        _ = try await client(transport, base: base, harmless: harmless).send(request)
        return transport.requests.map { request in
            var headers = request.headers
            headers.remove(.accept)
            return headers
        }
    }

    @Test("Requests to the client's own origin get all fields, with a path or a full URL")
    func own() async throws {
        let url = try #require(URL(string: "https://API.example:443/other"))
        #expect(try await sent(Request<Data>.get("x")) == [Self.fields])
        #expect(try await sent(Request<Data>.get(url: url)) == [Self.fields])
    }

    @Test(
        "A request to another origin gets only the User-Agent",
        arguments: ["https://other.example/x", "http://api.example/x", "https://api.example:444/x", "https://api.example.evil.example/"])
    func foreign(url: String) async throws {
        let url = try #require(URL(string: url))
        #expect(try await sent(Request<Data>.get(url: url)) == [[.userAgent: "Birds/1"]])
        #expect(try await sent(Request<Data>.get(url: url, headers: ["X-Own": "1"])) == [["X-Own": "1", .userAgent: "Birds/1"]])
        var based = Request<Data>.get("x")
        based.baseURL = url
        #expect(try await sent(based) == [[.userAgent: "Birds/1"]])
    }

    @Test("Without a base URL, all requests get the fields until a redirect leads to another origin")
    func withoutBase() async throws {
        let url = try #require(URL(string: "https://other.example/x"))
        #expect(
            try await sent(Request<Data>.get(url: url), base: nil, redirects: ["/y", "https://third.example/"]) == [
                Self.fields, Self.fields, [.userAgent: "Birds/1"],
            ])
    }

    @Test("A redirect to another origin takes only the User-Agent and what the app declares along")
    func redirected() async throws {
        #expect(
            try await sent(Request<Data>.get("x"), harmless: ["X-App"], redirects: ["https://other.example/"]) == [
                Self.fields, ["X-App": "1", .userAgent: "Birds/1"],
            ])
    }
}
