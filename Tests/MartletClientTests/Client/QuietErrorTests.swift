import Foundation
import MartletClient
import MartletTesting
import Testing

/// No error contains a secret, and every error names its request.
@Suite(.timeLimit(.minutes(5))) struct QuietErrorTests {
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
        "The error for a refused path does not contain the path's secrets",
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

    @Test("The error for a secret that has the wrong type does not contain the secret")
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

    @Test("The error for a value that can't be encoded has its type and place and the request, but not the value")
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
        "The error for a refused Location does not contain the user name and password",
        arguments: [
            "//u:S3CRET@[/", "http://u:S3CRET@[/", "mailto:u:S3CRET@h", "https://u:S3CRET@h/", "ftp://u:S3CRET@h/",
        ])
    func locations(location: String) async {
        let error = await failure(Request<Data>.get("x"), .status(302, headers: ["Location": location]))
        guard case .redirectFailed = error else { Issue.record("\(String(describing: error))"); return }
        #expect(isQuiet(error))
    }

    @Test("An invalid field is quoted in part, a second Host is named, and a long URL is shortened")
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

    @Test("Errors of a streamed body name the request, past the limit and when it breaks off")
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

    @Test("A body of only white space is nil for an Optional")
    func whitespace() async throws {
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport { _ in .json(" \r\n\t ") })
        #expect(try await client.send(Request<Int?>.get("x")) == nil)
        let error = await failure(Request<Int>.get("x"), .json(" "))
        guard case .noData = error else { Issue.record("\(String(describing: error))"); return }
    }

    private struct Coded: Error { var value = "S3CRET" }
    private struct Throws: Interceptor {
        let error: any Error
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> { throw error }
    }

    @Test("A coder's error from an interceptor or a body has the type and place, but not the value")
    func strayCoders() async {
        let stray = EncodingError.invalidValue(Coded(), .init(codingPath: [], debugDescription: "no such code"))
        let client = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: MockTransport { _ in .status(200) }, interceptors: [Throws(error: stray)])
        guard case .failure(let error) = await client.result(of: Request<Data>.get("x")) else { Issue.record("no error"); return }
        guard case .interceptorFailed = error else { Issue.record("\(error)"); return }
        #expect("\(error)".contains("Coded") && "\(error)".contains("no such code"))
        #expect(isQuiet(error))
        let body = await #expect(throws: HTTPError.self) { try await HTTPBody { throw stray }.collect() }
        #expect(isQuiet(body))
        #expect(body?.underlying is EncodingError)
    }

    @Test("A very long key of the response is shortened, and a key with a secret name is shown without its value")
    func keys() async {
        let long = await failure(Request<[String: Int]>.get("x"), .json("{\"\(String(repeating: "k", count: 1_000_000))\":\"v\"}"))
        #expect("\(String(describing: long))".count < 2_000)
        let code = await failure(Request<[String: Date]>.get("x"), .json(#"{"code":"noon"}"#))
        #expect("\(String(describing: code))".contains("“noon” is not an ISO 8601 date with a time and a time zone"))
    }

    @Test("Methods, fields and lengths are quoted in part, with their control characters visible")
    func bounded() async throws {
        let long = String(repeating: "x", count: 1_000_000)
        let url = try #require(URL(string: "https://h/"))
        for headers: HTTPFields in [["Content-Length": long], [HTTPFieldName(long + " "): "1"], ["X": long + "\n"]] {
            let error = await failure(Request<Data>(method: .get, path: "x", headers: headers, decoding: .decodable))
            guard case .invalidRequest = error else { Issue.record("\(String(describing: error))"); return }
            #expect("\(String(describing: error))".count < 5_000)
        }
        let broken = HTTPRequest(method: HTTPMethod(rawValue: "GET\r\nX: y" + long), url: url)
        #expect(!"\(broken)".contains("\n") && "\(broken)".count < 5_000)
        var fields: HTTPFields = [HTTPFieldName("Authorization: Bearer S3CRET"): "1", HTTPFieldName(long): long, "A": "b\r\nC: d"]
        for _ in 0..<10_000 { fields.append("N", "v") }
        let response = HTTPResponse(status: .ok, headers: fields, body: ())
        for text in ["\(fields)", "\(response)", "\(fields[0])", "\(fields[1])", "\(fields[2])"] {
            #expect(!text.contains("S3CRET") && !text.contains("\n") && text.utf8.count < 20_000)
        }
        #expect(throws: HTTPError.self) { try HTTPBody(file: URL(fileURLWithPath: "/" + long)) }
        do { _ = try HTTPBody(file: URL(fileURLWithPath: "/" + long)) } catch { #expect("\(error)".count < 5_000) }
    }

    @Test("The metadata of a response shows no secret in any description")
    func metadata() throws {
        var metadata = ResponseMetadata()
        let url = try #require(URL(string: "https://h/?token=S3CRET"))
        metadata.redirects = [url]
        metadata.trailers = ["X-Auth-Token": "S3CRET"]
        metadata.request = HTTPRequest(url: url, headers: ["Cookie": "S3CRET"], body: HTTPBody(#"{"pin":"S3CRET"}"#))
        for value: Any in [metadata, metadata.request?.body as Any, HTTPBody(#"{"pin":"S3CRET"}"#)] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("S3CRET") && !text.contains("- 83\n"), "\(text)")
            }
        }
    }
}
