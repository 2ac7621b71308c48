import Foundation
import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct RequestCheckTests {
    private func outcome(_ url: String, method: HTTPMethod = .get) throws -> Result<String, HTTPError> {
        let request = HTTPRequest(method: method, url: try #require(URL(string: url)))
        do throws(HTTPError) { return .success(try RequestCheck.url(of: request)) } catch { return .failure(error) }
    }

    @Test(
        "A URL without a host is refused, because pins and proxy would not be looked up for its real host",
        arguments: [
            "https:///a.example/", "http://", "http://?q", "https://:443/", "http://#a", "https:////a.example", "https://u@/a.example",
            "https://u:p@:443/",
        ])
    func noHost(_ url: String) throws {
        guard case .failure(.invalidURL) = try outcome(url) else { Issue.record("taken"); return }
    }

    @Test("Only http and https URLs are accepted, in any case, and user information is removed")
    func schemes() throws {
        #expect(try outcome("HTTPS://a.example/x") == .success("HTTPS://a.example/x"))
        #expect(try outcome("http://u:p@a.example/@") == .success("http://a.example/@"))
        for url in ["ftp://a.example", "file:///etc/passwd", "a.example", "httpx://a"] {
            guard case .failure(.invalidURL) = try outcome(url) else { Issue.record("taken: \(url)"); continue }
        }
    }

    @Test("A method that is not a token is refused with an error in one line")
    func method() throws {
        guard case .failure(.invalidRequest(let what)) = try outcome("http://a.example", method: "GET / HTTP/1.1\r\nX: y") else {
            Issue.record("taken")
            return
        }
        #expect(!what.text.contains("\r") && !what.text.contains("\n"))
        guard case .failure(.invalidRequest) = try outcome("http://a.example", method: .connect) else { Issue.record("taken"); return }
    }
}
