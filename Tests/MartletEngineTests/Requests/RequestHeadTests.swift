import Foundation
import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("RequestHead", .timeLimit(.minutes(5)))
struct RequestHeadTests {
    /// What varies besides the URL and the fields.
    private struct Settings {
        var method = HTTPMethod.get
        var framing = RequestHead.Framing.none
        var acceptEncoding: String?
        var expectsContinue = false
        /// Whether the URL is checked, so that its origin is known.
        var isChecked = false
    }

    private func head(
        _ url: String = "http://a.example/", _ fields: HTTPFields = [:], _ change: (inout Settings) -> Void = { _ in }
    ) throws -> (text: String, traits: RequestHead.Traits) {
        var settings = Settings()
        change(&settings)
        var request = HTTPRequest(method: settings.method, url: try #require(URL(string: url)), headers: fields)
        if settings.isChecked {
            let problem = request.checkURL()
            #expect(problem == nil)
        }
        // The head is appended to other bytes.
        var bytes = Array("+".utf8)
        let traits = RequestHead.write(
            request, url: request.urlText, framing: settings.framing, acceptEncoding: settings.acceptEncoding,
            expectsContinue: settings.expectsContinue, to: &bytes)
        #expect(bytes.first == UInt8(ascii: "+"))
        return (String(decoding: bytes.dropFirst(), as: UTF8.self), traits)
    }

    /// Returns the lines after the request line and `Host`, without the empty line at the end.
    private func lines(_ fields: HTTPFields, _ change: (inout Settings) -> Void = { _ in }) throws -> [String] {
        let text = try head("http://a.example/", fields, change).text
        let start = "GET / HTTP/1.1\r\nHost: a.example\r\n"
        try #require(text.hasPrefix(start) && text.hasSuffix("\r\n\r\n"))
        let rest = text.utf8.dropFirst(start.utf8.count).dropLast(2)
        return Array(String(decoding: rest, as: UTF8.self).components(separatedBy: "\r\n").dropLast())
    }

    // MARK: The target and the host

    @Test(
        "The target is the path and the query, and Host has the port unless it is the default (RFC 9112 §3.2)",
        arguments: [
            ("http://a.example", "/", "a.example"), ("http://a.example/", "/", "a.example"), ("http://a.example/b", "/b", "a.example"),
            ("http://a.example/b/", "/b/", "a.example"), ("http://a.example/b?c=d&e", "/b?c=d&e", "a.example"),
            ("http://a.example/?", "/?", "a.example"), ("http://a.example?b", "/?b", "a.example"),
            ("http://a.example?b=/?c", "/?b=/?c", "a.example"), ("http://a.example#f", "/", "a.example"),
            ("http://a.example/#f/g?h", "/", "a.example"), ("http://a.example?b#f", "/?b", "a.example"),
            ("http://a.example:8080/b/../c%20d?e=f#g", "/b/../c%20d?e=f", "a.example:8080"),
            ("http://a.example//b//", "//b//", "a.example"), ("http://a.example/b@c:80/d", "/b@c:80/d", "a.example"),
            ("http://a.example:80", "/", "a.example"), ("http://a.example:80/b", "/b", "a.example"),
            ("http://a.example:/b", "/b", "a.example"), ("http://a.example:443/", "/", "a.example:443"),
            ("http://a.example:8/", "/", "a.example:8"), ("http://a.example:180/", "/", "a.example:180"),
            ("https://a.example:443/b", "/b", "a.example"), ("https://a.example:80/", "/", "a.example:80"),
            ("https://a.example:8443?b", "/?b", "a.example:8443"), ("http://127.0.0.1:9000/", "/", "127.0.0.1:9000"),
            ("http://[::1]", "/", "[::1]"), ("http://[::1]/b", "/b", "[::1]"), ("http://[::1]:99/b", "/b", "[::1]:99"),
            ("http://[::1]:80/", "/", "[::1]"), ("http://[::80]/", "/", "[::80]"), ("https://[2001:DB8::1]:443?b", "/?b", "[2001:db8::1]"),
            ("http://A.Example/B", "/B", "a.example"), ("HTTP://A.EXAMPLE:80/B?C", "/B?C", "a.example"),
            ("HTTPS://A.EXAMPLE:443/", "/", "a.example"),
        ])
    func target(url: String, target: String, host: String) throws {
        for isChecked in [false, true] {
            let text = try head(url) { $0.isChecked = isChecked }.text
            #expect(text == "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n", "checked: \(isChecked)")
        }
        // Code that signs a request reads the same target.
        let request = HTTPRequest(url: try #require(URL(string: url)))
        #expect(request.target == target)
    }

    @Test(
        "The escapes of a URL are copied unchanged, so that it adds no line",
        arguments: [
            "/%0D%0AX:%201", "/b%0a%0d%00?c=%0D%0A%0D%0AGET%20/", "/%20HTTP/1.1%0D%0A", "/%2e%2E/%7e", "/%C3%A9?%E9",
            "/-._~!$&'()*+,;=:@/?-._~!$&'()*+,;=:@/?",
        ])
    func escapes(target: String) throws {
        for isChecked in [false, true] {
            let text = try head("http://a.example\(target)#%0D%0A") { $0.isChecked = isChecked }.text
            #expect(text == "GET \(target) HTTP/1.1\r\nHost: a.example\r\n\r\n", "checked: \(isChecked)")
        }
    }

    @Test("The method is written as the request has it", arguments: HTTPMethod.standard + ["PURGE", "get"])
    func methods(method: HTTPMethod) throws {
        let text = try head { $0.method = method }.text
        #expect(text == "\(method.rawValue) / HTTP/1.1\r\nHost: a.example\r\n\r\n")
    }

    @Test("A Host field replaces the URL's host, and keeps its place", arguments: ["Host", "host", "HOST"])
    func ownHost(name: String) throws {
        let fields: HTTPFields = ["A": "1", HTTPFieldName(name): "other:81", "B": "2"]
        for isChecked in [false, true] {
            let text = try head("http://a.example:8080/", fields) { $0.isChecked = isChecked }.text
            #expect(text == "GET / HTTP/1.1\r\nA: 1\r\n\(name): other:81\r\nB: 2\r\n\r\n")
        }
    }

    // MARK: Fields

    @Test("Fields keep their order, their case, repeated lines and empty values")
    func order() throws {
        let fields: HTTPFields = ["X-B": "1", "x-a": "", "Accept": "a, b", "X-B": "2", "x-b": "\"c\"; d"]
        let written = try lines(fields), none = try lines([:])
        #expect(written == ["X-B: 1", "x-a: ", "Accept: a, b", "X-B: 2", "x-b: \"c\"; d"])
        #expect(none == [])
    }

    @Test("A value is written as its bytes")
    func valueBytes() throws {
        var fields = HTTPFields()
        fields.append("X-A", "caf\u{E9}")
        fields.append(nameBytes: Array("X-B".utf8), valueBytes: [UInt8(0xE9)])
        let request = HTTPRequest(url: try #require(URL(string: "http://a.example/")), headers: fields)
        var bytes: [UInt8] = []
        RequestHead.write(request, url: request.urlText, framing: .none, to: &bytes)
        var expected = Array("GET / HTTP/1.1\r\nHost: a.example\r\nX-A: caf\u{E9}\r\nX-B: ".utf8)
        expected.append(0xE9)
        expected.append(contentsOf: "\r\n\r\n".utf8)
        #expect(bytes == expected)
    }

    @Test("The body alone decides about Content-Length and Transfer-Encoding (RFC 9112 §6)")
    func framing() throws {
        let own: HTTPFields = [
            "Content-Length": "9", "A": "1", "transfer-encoding": "gzip", "CONTENT-LENGTH": "8", "Transfer-Encoding": "chunked",
            "TE": "gzip",
        ]
        let framings: [(RequestHead.Framing, [String])] = [
            (.none, []), (.length(0), ["Content-Length: 0"]), (.length(5), ["Content-Length: 5"]),
            (.length(.max), ["Content-Length: 9223372036854775807"]), (.chunks, ["Transfer-Encoding: chunked"]),
        ]
        for (framing, line) in framings {
            let written = try lines([:]) { $0.framing = framing }, writtenAfterOwn = try lines(own) { $0.framing = framing }
            #expect(written == line)
            #expect(Array(writtenAfterOwn.prefix(2)) == ["A: 1", "TE: gzip"])
            #expect(Array(writtenAfterOwn.dropFirst(2)) == line)
        }
    }

    @Test("Accept-Encoding is added unless the request sets it, or a range")
    func acceptEncoding() throws {
        let cases: [(fields: HTTPFields, written: [String])] = [
            ([:], ["Accept-Encoding: gzip, br"]), (["Range": "bytes=0-"], ["Range: bytes=0-"]),
            (["RANGE": "bytes=0-"], ["RANGE: bytes=0-"]),
            (["Accept": "a", "X-Range": "b"], ["Accept: a", "X-Range: b", "Accept-Encoding: gzip, br"]),
        ]
        for (fields, expected) in cases {
            let written = try lines(fields) { $0.acceptEncoding = "gzip, br" }
            #expect(written == expected)
        }
        for value in ["gzip", "identity", "Identity", "identity;q=0", ""] {
            let written = try lines(["accept-encoding": value]) { $0.acceptEncoding = "gzip, br" }
            #expect(written == ["accept-encoding: \(value)"])
        }
        let none = try lines([:])
        #expect(none == [])
    }

    @Test("Expect is sent once, if the body waits for permission (RFC 9110 §10.1.1)")
    func expectation() throws {
        let cases: [(fields: HTTPFields, expects: Bool, written: [String])] = [
            ([:], false, []), ([:], true, ["Expect: 100-continue"]), (["Expect": "100-Continue"], false, ["Expect: 100-Continue"]),
            (["Expect": "100-Continue"], true, ["Expect: 100-Continue"]), (["expect": "100-continue"], true, ["expect: 100-continue"]),
        ]
        for (fields, expects, expected) in cases {
            let written = try lines(fields) {
                $0.framing = .length(5)
                $0.expectsContinue = expects
            }
            #expect(written.last == "Content-Length: 5")
            #expect(Array(written.dropLast()) == expected)
        }
    }

    @Test("The fields that the transport adds follow those of the request")
    func addedFields() throws {
        let written = try lines(["A": "1"]) {
            $0.acceptEncoding = "gzip"
            $0.expectsContinue = true
            $0.framing = .chunks
        }
        #expect(written == ["A: 1", "Accept-Encoding: gzip", "Expect: 100-continue", "Transfer-Encoding: chunked"])
    }

    // MARK: Traits

    @Test("The body stays coded if the request sets a range or codings of its own, but not for identity")
    func wantsRawBody() throws {
        let cases: [(fields: HTTPFields, isRaw: Bool)] = [
            ([:], false), (["Range": "bytes=0-"], true), (["range": "bytes=0-"], true), (["Accept-Encoding": "gzip"], true),
            (["accept-encoding": "gzip, identity"], true), (["Accept-Encoding": "identity"], false),
            (["ACCEPT-ENCODING": "Identity"], false), (["Accept-Encoding": "identity", "Range": "bytes=0-"], true),
            (["Accept-Encoding": "identity", "accept-encoding": "gzip"], true),
            (["If-Range": "a", "Accept-Ranges": "b", "Content-Encoding": "gzip"], false),
        ]
        for (fields, isRaw) in cases {
            for acceptEncoding in [nil, "gzip"] {
                let traits = try head("http://a.example/", fields) { $0.acceptEncoding = acceptEncoding }.traits
                #expect(traits.contains(.wantsRawBody) == isRaw, "\(Array(fields))")
                #expect(!traits.contains(.closesConnection))
            }
        }
    }

    @Test("The request ends the connection if one of its options is close (RFC 9112 §9.6)")
    func closesConnection() throws {
        let cases: [(fields: HTTPFields, closes: Bool)] = [
            ([:], false), (["Connection": "close"], true), (["CONNECTION": "CLOSE"], true), (["connection": "keep-alive, Close"], true),
            (["Connection": "close,upgrade"], true), (["Connection": "a ,\tclose\t, b"], true), (["Connection": ",close"], true),
            (["Connection": "keep-alive", "connection": "close"], true), (["Connection": "close", "connection": "keep-alive"], true),
            (["Connection": "keep-alive"], false), (["Connection": "closed"], false), (["Connection": "not close"], false),
            (["Connection": "x-close, close-x"], false), (["Connection": ""], false), (["Proxy-Connection": "close"], false),
        ]
        for (fields, closes) in cases {
            let (text, traits) = try head("http://a.example/", fields)
            #expect(traits.contains(.closesConnection) == closes, "\(Array(fields))")
            #expect(!traits.contains(.wantsRawBody))
            for field in fields { #expect(text.contains("\r\n\(field.name): \(field.value)\r\n")) }
        }
    }
}
