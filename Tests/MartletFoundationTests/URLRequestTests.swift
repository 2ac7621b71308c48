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

    @Test("has its method, URL, fields and body")
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

    @Test("has no body when there is none, or an empty one")
    func noBody() throws {
        #expect(try URLRequest(HTTPRequest(url: url)).httpBody == nil)
        #expect(try URLRequest(HTTPRequest(url: url, body: .empty)).httpBody == nil)
    }

    @Test("is made of a typed request")
    func typed() throws {
        let made = try URLRequest(Request<String>.get("users/\("a b")").httpRequest(baseURL: URL(string: "https://api.example/v1")))
        #expect(made.url?.absoluteString == "https://api.example/v1/users/a%20b")
        #expect(made.value(forHTTPHeaderField: "Accept") == "*/*")
    }

    @Test("is refused for a line break in a name or method, which FoundationNetworking would write to the wire")
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
