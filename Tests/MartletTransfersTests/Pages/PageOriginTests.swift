import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite("Pages: links to other origins", .timeLimit(.minutes(5)))
struct PageOriginTests {
    private let secrets: HTTPFields = [
        "Authorization": "Bearer own", "Cookie": "a=1", "X-Api-Key": "k", "X-Vault-Token": "v", "Host": "virtual", "X-Own": "1",
    ]

    private func first(_ next: String, base: String = "https://api.example/v1/users") -> HTTPResponse<UserPage> {
        var metadata = ResponseMetadata()
        metadata.request = HTTPRequest(url: URL(string: base)!)
        return HTTPResponse(status: .ok, body: UserPage(users: [], next: next), metadata: metadata)
    }

    @Test("Within an origin all fields are sent, and no credential is sent to another origin or on the way back")
    func credentials() async throws {
        let (client, transport) = pagingClient(
            configuration: .init(headers: ["X-Auth-Token": "by default", "X-App": "a"], harmlessFields: ["X-App"])
        ) { request in
            switch request.url.absoluteString {
            case "https://api.example/v1/users": .json(#"{"users": [], "next": "/same"}"#)
            case "https://api.example/same": .json(#"{"users": [], "next": "https://other.example/b"}"#)
            case "https://other.example/b": .json(#"{"users": [], "next": "https://api.example/back"}"#)
            default: .json(#"{"users": []}"#)
            }
        }
        let request = Request<UserPage>.get("users", headers: secrets)
        for try await _ in client.pages(request, next: .url(\.next)) {}
        let sent = transport.requests.map(\.headers)
        #expect(transport.requests.map(\.url.path) == ["/v1/users", "/same", "/b", "/back"])
        for headers in sent.prefix(2) {
            #expect(headers["Authorization"] == "Bearer own" && headers["X-Auth-Token"] == "by default" && headers["Host"] == "virtual")
        }
        for headers in sent.suffix(2) {
            for name in ["Authorization", "Cookie", "X-Api-Key", "X-Vault-Token", "X-Auth-Token", "Host"] {
                #expect(!headers.contains(HTTPFieldName(name)))
            }
            #expect(!headers.contains("X-Own"))
        }
        // The client adds its fields only to targets that its own origin chose.
        #expect(sent.map { $0["X-App"] } == ["a", "a", nil, nil])
        #expect(transport.requests.map(\.context.passedOrigins.count) == [0, 0, 1, 2])
        #expect(transport.requests.map(\.context.hadOwnCookies) == [false, false, true, true])
    }

    @Test("A client that wraps another one tells which fields are harmless, which go to another origin", arguments: [true, false])
    func wrapped(tells: Bool) async throws {
        let (client, transport) = pagingClient(configuration: .init(harmlessFields: ["X-Own"])) { request in
            request.url.host == "api.example" ? .json("[]", headers: ["Link": "<https://h/>; rel=next"]) : .json("[]")
        }
        let wrapper = Wrapper(client: client, configuration: tells ? client.configuration : .init())
        let request = Request<[String]>.get(url: try #require(URL(string: "https://api.example/x")), headers: ["X-Own": "1"])
        for try await _ in wrapper.pages(request, next: .link) {}
        #expect(transport.requests.map { $0.headers["X-Own"] } == ["1", tells ? "1" : nil])
    }

    @Test("A field marked as a credential is not sent to another origin")
    func marked() async throws {
        let (client, transport) = pagingClient { request in
            request.url.host == "api.example" ? .json("[]", headers: ["Link": "<https://h/>; rel=next"]) : .json("[]")
        }
        var request = Request<[String]>.get("x", headers: ["X-Mine": "s"])
        request.headers.markAsCredential("X-Mine")
        for try await _ in client.pages(request, next: .link) {}
        #expect(transport.requests.map { $0.headers["X-Mine"] } == ["s", nil])
    }

    @Test("A URL from a custom rule counts as the server's choice")
    func customRules() async throws {
        let (client, transport) = pagingClient { _ in .json("[]") }
        let rule = NextPage<[String]>.custom { response in
            response.metadata.url?.host == "api.example" ? URL(string: "https://other.example/").map { .url($0) } : nil
        }
        for try await _ in client.pages(Request<[String]>.get("repos", headers: secrets), next: rule) {}
        #expect(transport.requests.map { $0.headers.contains(.authorization) } == [true, false])
        let bad = NextPage<[String]>.custom { _ in URL(string: "http://api.example/").map { .url($0) } }
        await #expect(throws: HTTPError.pagingFailed(PagingFailure(.refusedTarget))) {
            for try await _ in client.pages(.repos, next: bad) {}
        }
    }

    @Test("An AuthInterceptor's token is not sent to another origin that a page links to, nor on the way back")
    func tokens() async throws {
        let auth = AuthInterceptor(AccessToken("t"))
        let (client, transport) = pagingClient(interceptors: [auth]) { request in
            switch request.url.absoluteString {
            case "https://api.example/v1/repos": .json("[]", headers: ["Link": "</v1/two>; rel=next"])
            case "https://api.example/v1/two": .json("[]", headers: ["Link": "<https://other.example/>; rel=next"])
            case "https://other.example/": .json("[]", headers: ["Link": "<https://api.example/v1/three>; rel=next"])
            default: .json("[]")
            }
        }
        var statuses: [HTTPStatus] = []
        for try await page in client.pages(.repos, next: .link).responses { statuses.append(page.status) }
        #expect(transport.requests.prefix(2).map { $0.headers[.authorization] } == ["Bearer t", "Bearer t"])
        #expect(transport.requests.dropFirst(2).allSatisfy { !$0.headers.contains(.authorization) })
        #expect(statuses == [.ok, .ok, .ok, .ok])
    }

    @Test("The links of a page that was redirected to another origin are requested without credentials")
    func redirected() async throws {
        let (client, transport) = pagingClient { request in
            switch request.url.absoluteString {
            case "https://api.example/v1/repos": .status(302, headers: ["Location": "https://other.example/a"])
            case "https://other.example/a": .json("[]", headers: ["Link": "<b>; rel=next"])
            default: .json("[]")
            }
        }
        for try await _ in client.pages(Request<[String]>.get("repos", headers: secrets), next: .link) {}
        #expect(transport.requests.map(\.url.absoluteString).last == "https://other.example/b")
        #expect(transport.requests.map { $0.headers.contains(.authorization) } == [true, false, false])
        #expect(transport.requests.last?.context.passedOrigins == ["https://api.example"])
    }

    @Test(
        "A link from https to http, to another scheme, with a user name, or that is not a URL, is refused",
        arguments: ["http://api.example/", "ftp://api.example/", "https://u:p@api.example/", "https:///", "\u{1}", "javascript:alert(1)"])
    func refused(target: String) {
        let refused = HTTPError.pagingFailed(PagingFailure(.refusedTarget))
        let error = #expect(throws: HTTPError.self) { try LinkedPage.position(of: target, in: first("")) }
        #expect(error == refused && error?.request != nil && !"\(error!)".contains("p@"))
    }

    @Test("A position has the origins that led to it, each once, and no fragment")
    func positions() throws {
        let position = try LinkedPage.position(of: "https://b.example/x#f", in: first(""))
        #expect(position.target == .url(URL(string: "https://b.example/x")!))
        #expect(position.passed == ["https://api.example"])
        #expect(try LinkedPage.position(of: "y", in: first("")).passed == [])
        #expect(try LinkedPage.position(of: "https://api.example:443/y", in: first("")).passed == [])
        #expect(try LinkedPage.position(of: "https://api.example:8443/y", in: first("")).passed.count == 1)
    }

    @Test("A stored position continues without the credentials that the previous page did not have")
    func keeping() async throws {
        let (client, transport) = pagingClient { _ in .json("[]") }
        let position = try LinkedPage.position(of: "https://b.example/x", in: first(""))
        let kept = try JSONDecoder().decode(PagePosition.self, from: JSONEncoder().encode(position))
        #expect(kept == position)
        for try await _ in client.pages(Request<[String]>.get("repos", headers: secrets), next: .link).starting(at: kept) {}
        #expect(transport.requests.map(\.url.absoluteString) == ["https://b.example/x"])
        #expect(transport.requests.first?.headers.contains(.authorization) == false)
    }
}

/// A client of an app that wraps another one.
struct Wrapper: HTTPClientProtocol {
    let client: HTTPClient
    let configuration: HTTPClient.Configuration

    @concurrent func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> { try await client.perform(endpoint, options: options, decoding: decoding) }

    @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await client.stream(endpoint, options: options)
    }
}
