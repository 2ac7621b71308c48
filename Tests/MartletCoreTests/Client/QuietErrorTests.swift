import Foundation
import MartletCore
import MartletTesting
import Testing

/// No error shows a secret, wherever it comes from, and each names its request.
@Suite struct QuietErrorTests {
    private func failure<Value: Sendable>(_ request: Request<Value>, _ reply: MockReply = .status(200), base: String? = "https://h/") async
        -> HTTPError?
    {
        let client = HTTPClient(baseURL: base.flatMap { URL(string: $0) }, transport: MockTransport { _ in reply })
        if case .failure(let error) = await client.result(of: request) { return error }
        return nil
    }

    private func isQuiet(_ error: HTTPError?) -> Bool {
        guard let error else { return false }
        var dumped = ""
        dump(error, to: &dumped)
        return ["\(error)", error.localizedDescription, String(reflecting: error), dumped].allSatisfy { !$0.contains("S3CRET") }
    }

    @Test(
        "A path that is refused is quoted without its secrets",
        arguments: [
            Path("items?token=S3CRET#x"), "//u:S3CRET@h/x", "https://u:S3CRET@h/x", "a/../b?token=S3CRET", "a/\("")?token=S3CRET",
        ])
    func paths(path: Path) async {
        let error = await failure(Request<Data>.get(path))
        guard case .invalidURL = error else { Issue.record("\(String(describing: error))"); return }
        #expect(isQuiet(error))
        #expect(isQuiet(await failure(Request<Data>.get("x?token=S3CRET"), base: nil)))
    }

    private struct Login: Codable, Sendable {
        enum Token: String, Codable, Sendable { case a }
        var token: Token?
        var password: Date?
        var size = 1.0
    }

    @Test("A secret that does not fit its type is not quoted")
    func decoding() async {
        for body in [#"{"token":"S3CRET"}"#, #"{"password":"S3CRET"}"#] {
            let error = await failure(Request<Login>.get("x"), .json(body))
            guard case .decodingFailed(let what) = error else { Issue.record("\(String(describing: error))"); return }
            #expect(what.codingPath == (body.contains("token") ? "token" : "password"))
            #expect(isQuiet(error))
        }
    }

    private struct Bad: Encodable, Sendable {
        var password = "S3CRET"
        var size = Double.infinity
        private enum Keys: String, CodingKey { case size }
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(self, .init(codingPath: [Keys.size], debugDescription: "no such size"))
        }
    }

    @Test("A value that can't be encoded is named by type and place, not shown, and the request is named")
    func encoding() async {
        for request in [
            Request<Data>.post("x", body: .json(Bad())), .get("x", query: Query(Bad())),
            Request<Data>(method: .get, url: URL(string: "https://h/x"), query: Query(Bad()), decoding: .decodable),
        ] {
            let error = await failure(request)
            guard case .encodingFailed(let what) = error else { Issue.record("\(String(describing: error))"); return }
            #expect(what.text.contains("Bad") && what.text.contains("size") && what.text.contains("no such size"))
            #expect(error?.request?.url.absoluteString == "https://h/x")
            #expect(isQuiet(error))
        }
    }

    @Test(
        "A Location that is refused is quoted without its user",
        arguments: [
            "//u:S3CRET@[/", "http://u:S3CRET@[/", "mailto:u:S3CRET@h", "https://u:S3CRET@h/", "ftp://u:S3CRET@h/",
        ])
    func locations(location: String) async {
        let error = await failure(Request<Data>.get("x"), .status(302, headers: ["Location": location]))
        guard case .redirectFailed = error else { Issue.record("\(String(describing: error))"); return }
        #expect(isQuiet(error))
    }

    @Test("A field that is no field is quoted in part, a second Host is named, and a long URL makes no long text")
    func fields() async {
        let pasted = HTTPFieldName("Authorization: Bearer S3CRET")
        let error = await failure(Request<Data>(method: .get, path: "x", headers: [pasted: "1"], decoding: .decodable))
        guard case .invalidRequest = error else { Issue.record("\(String(describing: error))"); return }
        #expect(isQuiet(error))
        let hosts = await failure(Request<Data>(method: .get, path: "x", headers: ["Host": "a", "host": "b"], decoding: .decodable))
        #expect(hosts == .invalidRequest("there are two Host fields"))
        let long = await failure(Request<Data>.get(Path(raw: String(repeating: "x", count: 1_000_000))), .status(500))
        #expect("\(String(describing: long))".count < 5000)
    }

    @Test("Errors of a body that is read as it comes name the request, past the limit and when it breaks")
    func streams() async throws {
        let transport = MockTransport(.stream("ab", "cd"))
        let response = try await HTTPClient(baseURL: URL(string: "https://h/"), transport: transport).stream(Request<Data>.get("big"))
        let error = await #expect(throws: HTTPError.self) { try await response.body.collect(upTo: 3) }
        #expect(error?.request?.url.path == "/big")
        #expect(error?.attempts == 1)
        let breaking = MockTransport { _ in .stream { HTTPBody { throw HTTPError.networkError(NetworkFailure(.connectionLost)) } } }
        let broken = try await HTTPClient(baseURL: URL(string: "https://h/"), transport: breaking).stream(Request<Data>.get("big"))
        let lost = await #expect(throws: HTTPError.self) { try await broken.body.collect() }
        #expect(lost == .networkError(NetworkFailure(.connectionLost)))
        #expect(lost?.request?.url.path == "/big" && lost?.attempts == 1)
    }

    @Test("White space is no content for an Optional")
    func whitespace() async throws {
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport { _ in .json(" \r\n\t ") })
        #expect(try await client.send(Request<Int?>.get("x")) == nil)
        let error = await failure(Request<Int>.get("x"), .json(" "))
        guard case .noData = error else { Issue.record("\(String(describing: error))"); return }
    }
}
