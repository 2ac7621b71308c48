import Foundation
import MartletHTTP
import Testing

@Suite("Origins that requests carry", .timeLimit(.minutes(5)))
struct CheckedOriginTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("The text has the scheme, host and port as the URL has them, in lower case")
    func text() throws {
        let origin = try #require(CheckedOrigin(url("HTTPS://API.example:443/v1?x=/#y")))
        #expect(origin.text == "https://api.example:443" && origin.origin == "https://api.example" && origin.isSecure)
        #expect(try CheckedOrigin(url("http://h?x"))?.text == "http://h")
        #expect(try CheckedOrigin(url("http://[::1]:80/"))?.isSecure == false)
    }

    @Test(
        "A URL to which no request can be sent has no checked origin, and a reason",
        arguments: [
            ("ftp://h/", "is not http or https"), ("/v1", "is not http or https"), ("https:///v1", "has no host"),
            ("https://user@h/", "user's name"), ("https://:pw@h/", "user's name"),
            ("https://%FF@h/", "user's name"), ("https://:%FF@h/", "user's name"),
        ])
    func problems(text: String, words: String) throws {
        #expect(try CheckedOrigin(url(text)) == nil)
        #expect(try CheckedOrigin.problem(of: url(text))?.contains(words) == true)
    }

    @Test("A request carries the origin of its checked URL until the URL changes")
    func carried() throws {
        var request = HTTPRequest(url: try url("https://a.example/1"))
        #expect(request.checkedOrigin == nil && request.origin == "https://a.example")
        #expect(request.checkURL() == nil && request.checkedOrigin?.origin == "https://a.example")
        request.headers[.accept] = "*/*"
        #expect(request.checkedOrigin != nil)
        request.url = try url("ftp://b.example/")
        #expect(request.checkedOrigin == nil && request.origin == "ftp://b.example")
        #expect(request.checkURL() == "is not http or https" && request.checkedOrigin == nil)
    }

    @Test("A URL that is changed in place is checked again")
    func inPlace() throws {
        var request = HTTPRequest(url: try url("https://a.example/"))
        #expect(request.checkURL() == nil)
        request.url.append(path: "x")
        #expect(request.checkedOrigin == nil)
    }
}
