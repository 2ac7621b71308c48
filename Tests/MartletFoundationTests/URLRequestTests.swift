import Foundation
import MartletFoundation
import MartletURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLRequest of an HTTPRequest", .timeLimit(.minutes(5)))
struct URLRequestTests {
    private let url = URL(string: "https://api.example/a%2Fb?x=1")!

    @Test("The URLRequest has the method, URL, fields and body of the HTTPRequest")
    func parts() throws {
        let request = HTTPRequest(
            method: .put, url: url, headers: ["X-A": "1", "x-a": "2", "Content-Length": "3"], body: HTTPBody("abc"))
        let made = try URLRequest(request)
        #expect(made.httpMethod == "PUT")
        #expect(made.url == url)
        #expect(made.value(forHTTPHeaderField: "X-A") == "1,2")
        #expect(made.value(forHTTPHeaderField: "Content-Length") == nil)
        #expect(made.httpBody == Data("abc".utf8))
        #expect(made.httpShouldHandleCookies == false)
    }

    @Test("The URLRequest has no body if the body is missing or empty")
    func noBody() throws {
        #expect(try URLRequest(HTTPRequest(url: url)).httpBody == nil)
        #expect(try URLRequest(HTTPRequest(url: url, body: .empty)).httpBody == nil)
    }

    @Test("A typed request becomes a URLRequest")
    func typed() throws {
        let made = try URLRequest(Request<String>.get("users/\("a b")").httpRequest(baseURL: URL(string: "https://api.example/v1")))
        #expect(made.url?.absoluteString == "https://api.example/v1/users/a%20b")
        #expect(made.value(forHTTPHeaderField: "Accept") == "*/*")
    }

    private enum API: Endpoint {
        case rename(Int, to: String)
        var path: Path {
            switch self {
            case .rename(let id, _): "users/\(id)"
            }
        }
        var method: HTTPMethod { .patch }
        var body: RequestBody? {
            switch self {
            case .rename(_, let name): .json(["name": name])
            }
        }
    }

    @Test("An endpoint or a request becomes a URLRequest in one step")
    func oneStep() throws {
        let base = URL(string: "https://api.example/v1")
        let made = try URLRequest(API.rename(7, to: "a"), baseURL: base)
        #expect(made.httpMethod == "PATCH" && made.url?.absoluteString == "https://api.example/v1/users/7")
        #expect(made.httpBody == Data(#"{"name":"a"}"#.utf8) && made.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try URLRequest(Request<String>.get("x"), baseURL: base).value(forHTTPHeaderField: "Accept") == "*/*")
        #expect(throws: HTTPError.invalidURL) { try URLRequest(API.rename(7, to: "a")) }
    }

    @Test("A response becomes an HTTPURLResponse with its URL, status and joined fields")
    func response() throws {
        var metadata = ResponseMetadata()
        metadata.request = HTTPRequest(url: url)
        let response = HTTPResponse(status: .notFound, headers: ["X-A": "1", "x-a": "2"], body: (), metadata: metadata)
        let made = try #require(HTTPURLResponse(response))
        #expect(made.statusCode == 404 && made.url == url && made.value(forHTTPHeaderField: "X-A") == "1, 2")
        #expect(HTTPURLResponse(HTTPResponse(status: .ok, body: ())) == nil)
    }

    @Test("A line break in a name or method is refused, because FoundationNetworking would write it to the wire")
    func injection() {
        for request in [
            HTTPRequest(method: "GET\r\nX: 1", url: url), HTTPRequest(url: url, headers: ["X\r\nY": "1"]),
            HTTPRequest(method: "get", url: url),
        ] {
            let error = #expect(throws: HTTPError.self) { try URLRequest(request) }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
