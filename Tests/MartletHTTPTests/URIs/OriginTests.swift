import Foundation
import MartletHTTP
import Testing

@Suite("Origin", .timeLimit(.minutes(5)))
struct OriginTests {
    private func origin(_ text: String) -> Origin? { URL(string: text).flatMap { Origin($0) } }

    @Test(
        "Scheme and host are compared in lower case, and a default port equals a missing one (RFC 6454 §4)",
        arguments: [
            ("https://api.example", "HTTPS://API.Example:443/v1?x#y"), ("http://h", "http://h:80/"), ("http://h/", "http://user:pw@h/path"),
            ("http://h:/", "http://h:80"), ("ws://h:1", "ws://h:1/a"),
        ])
    func same(left: String, right: String) throws {
        let left = try #require(origin(left)), right = try #require(origin(right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test(
        "A different scheme, host or port is a different origin",
        arguments: [
            ("https://h", "http://h"), ("https://h", "https://h:80"), ("https://h", "https://www.h"), ("https://h", "https://h."),
            ("http://h:8080", "http://h:8081"), ("https://h:80", "http://h:80"),
        ])
    func different(left: String, right: String) throws {
        let left = try #require(origin(left)), right = try #require(origin(right))
        #expect(left != right)
    }

    @Test(
        "A URL without scheme or host has no origin", arguments: ["/path", "path", "mailto:a@b", "file:///tmp/x", "http:///x", "//host/x"])
    func none(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(Origin(url) == nil)
    }

    @Test("The parts come from the URL, with the default port filled in")
    func parts() throws {
        let https = try #require(origin("HTTPS://User@Host.Example/x"))
        #expect(https.scheme == "https")
        #expect(https.host == "host.example")
        #expect(https.port == 443)
        #expect(origin("http://h")?.port == 80)
        #expect(origin("ftp://h")?.port == nil)
        #expect(origin("https://h:8443")?.port == 8443)
    }

    @Test(
        "An origin is written without a default port and can be read back",
        arguments: [
            ("https://API.example:443/v1", "https://api.example"), ("http://h:8080/x", "http://h:8080"), ("http://h:443", "http://h:443"),
            ("http://[::1]:8080/x", "http://[::1]:8080"), ("http://127.0.0.1", "http://127.0.0.1"),
        ])
    func description(text: String, expected: String) throws {
        let origin = try #require(self.origin(text))
        #expect("\(origin)" == expected)
        #expect(Origin(stringLiteral: expected) == origin)
    }

    @Test("An invalid literal equals no URL's origin")
    func literals() {
        let literal: Origin = "https://api.example"
        #expect(literal == origin("https://api.example/users"))
        let broken: Origin = "api.example"
        #expect(broken != literal)
        #expect(broken.scheme == "")
    }
}

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
            ("ftp://h/", "is not http or https"),
            ("wss://h/", "is one of WebSocket, which `webSocket(_:)` of the product MartletWebSocket opens"),
            ("WS://h/", "is one of WebSocket, which `webSocket(_:)` of the product MartletWebSocket opens"),
            ("/v1", "is not http or https"),
            ("https:///v1", "has no host"),
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
