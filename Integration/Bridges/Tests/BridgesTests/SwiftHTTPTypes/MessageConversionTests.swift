#if SwiftHTTPTypes
import Foundation
import HTTPTypes
import Martlet
import MartletBridges
import MartletTesting
import Testing

struct MessageConversionTests {
    @Test("Registered and custom methods keep their case", arguments: ["GET", "QUERY", "get", "M-SEARCH", "!#$%&'*+-.^_`|~", "CONNECT"])
    func methods(name: String) throws {
        let theirs = try #require(HTTPTypes::HTTPRequest.Method(name))
        #expect(HTTPMethod(theirs).rawValue == name)
        #expect(try HTTPTypes::HTTPRequest.Method(HTTPMethod(rawValue: name)) == theirs)
    }

    @Test("A method that is not a token is an error", arguments: ["", "G ET", "GET\r\n", "GÉT"])
    func invalidMethod(name: String) {
        #expect(throws: HTTPError.invalidRequest) { try HTTPTypes::HTTPRequest.Method(HTTPMethod(rawValue: name)) }
    }

    @Test("All statuses of three digits are converted, and no others")
    func statuses() throws {
        for code in 0...999 {
            let theirs = try HTTPTypes::HTTPResponse.Status(HTTPStatus(rawValue: code))
            #expect(theirs.code == code)
            #expect(theirs.reasonPhrase == HTTPStatus(rawValue: code).reasonPhrase)
            #expect(HTTPStatus(theirs).rawValue == code)
        }
        for code in [-1, 1000, Int.max, Int.min] {
            #expect(throws: HTTPError.invalidResponse) { try HTTPTypes::HTTPResponse.Status(HTTPStatus(rawValue: code)) }
        }
    }

    // MARK: Targets

    static let validTargets: [(scheme: String, authority: String, path: String)] = [
        ("https", "api.example", "/"),
        ("http", "api.example:8080", "/a/b?x=1&y=%20&z="),
        ("https", "API.Example", "/%7euser/a%2Fb%2f"),
        ("https", "a.example:443", "/a//b/./c/../d"),
        ("https", "[::1]:8443", "/x"),
        ("https", "a.example", "/?"),
        ("https", "a.example", "/x?a?b/c"),
        ("HTTPS", "a.example", "/a;b=c,d/:@!$&'()*+,;="),
    ]

    @Test("Scheme, authority and path become a URL and come back without normalisation", arguments: validTargets)
    func targets(scheme: String, authority: String, path: String) throws {
        let theirs = HTTPTypes::HTTPRequest(
            method: try #require(HTTPTypes::HTTPRequest.Method("QUERY")), scheme: scheme, authority: authority, path: path,
            headerFields: [.accept: "*/*"])
        let ours = try Martlet::HTTPRequest(theirs, body: HTTPBody("x"))
        #expect(ours.url.absoluteString == scheme + "://" + authority + path)
        #expect(ours.method.rawValue == "QUERY")
        #expect(ours.headers == ["Accept": "*/*"])
        #expect(ours.body?.buffered == Data("x".utf8))
        #expect(try HTTPTypes::HTTPRequest(ours) == theirs)
    }

    @Test("An empty path is a slash, as it is sent", arguments: [("https://a.example", "/"), ("https://a.example?q=1", "/?q=1")])
    func emptyPath(url: String, path: String) throws {
        let theirs = try HTTPTypes::HTTPRequest(Martlet::HTTPRequest(url: try #require(URL(string: url))))
        #expect(theirs.scheme == "https")
        #expect(theirs.authority == "a.example")
        #expect(theirs.path == path)
    }

    @Test(
        "A target that is not that of a URL is an error",
        arguments: [
            ("https", "a.example", "*"), ("https", "a.example", "x"), ("https", "a.example", "/a#b"), ("https", "a.example", "/a b"),
            ("https", "a.example", "/é"), ("https", "a.example/b", "/c"), ("https", "a.example?b", "/c"), ("ht tp", "a.example", "/"),
            ("https://b", "a.example", "/"), ("https", "a.example", "/%zz"), ("https", "a.example", "/[x]"),
        ])
    func invalidTarget(scheme: String, authority: String, path: String) {
        let theirs = HTTPTypes::HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        #expect(throws: HTTPError.invalidURL) { try Martlet::HTTPRequest(theirs) }
    }

    @Test("A path with bytes that are not UTF-8 is an error")
    func pathOfBytes() throws {
        var theirs = HTTPTypes::HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")
        var path = try #require(theirs.pseudoHeaderFields.path)
        path = HTTPTypes::HTTPField(name: path.name, value: [0x2F, 0xE9])
        theirs.pseudoHeaderFields.path = path
        #expect(throws: HTTPError.invalidURL) { try Martlet::HTTPRequest(theirs) }
    }

    @Test("A request without scheme, authority or path is an error that names what is missing")
    func missingParts() {
        let theirs = HTTPTypes::HTTPRequest(method: .connect, scheme: nil, authority: "a.example:443", path: nil)
        let error = #expect(throws: HTTPError.self) { try Martlet::HTTPRequest(theirs) }
        #expect(error == .invalidURL)
        #expect(error.map { "\($0)" }?.contains("no scheme, no path") == true)
    }

    @Test("An extended CONNECT is an error")
    func extendedConnect() {
        var theirs = HTTPTypes::HTTPRequest(method: .connect, scheme: "https", authority: "a.example", path: "/chat")
        theirs.extendedConnectProtocol = "websocket"
        #expect(throws: HTTPError.invalidRequest) { try Martlet::HTTPRequest(theirs) }
        #expect(throws: HTTPError.invalidRequest) { try Request<Data>(theirs) }
    }

    @Test(
        "A URL with parts that a request can't have is an error that hides a password",
        arguments: ["https://a.example/x#part", "https://ada:secret@a.example/", "https:///x", "mailto:a@a.example", "/x"])
    func unconvertibleURL(text: String) throws {
        let ours = Martlet::HTTPRequest(url: try #require(URL(string: text)))
        let error = #expect(throws: HTTPError.self) { try HTTPTypes::HTTPRequest(ours) }
        #expect(error == .invalidURL)
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }

    // MARK: Responses

    @Test("A response keeps its status, its fields and its body", arguments: [100, 204, 299, 404, 599, 999])
    func responses(code: Int) throws {
        var fields: HTTPTypes::HTTPFields = [.contentType: "text/plain"]
        fields.append(HTTPTypes::HTTPField(name: .setCookie, value: "a=1; Path=/"))
        fields.append(HTTPTypes::HTTPField(name: .setCookie, value: [0x62, 0x3D, 0xE9]))
        let theirs = HTTPTypes::HTTPResponse(status: .init(code: code, reasonPhrase: "Anything"), headerFields: fields)
        let ours = try Martlet::HTTPResponse(theirs, body: "text")
        #expect(ours.status.rawValue == code)
        #expect(ours.headers.bytes(for: .setCookie) == [Array("a=1; Path=/".utf8), [0x62, 0x3D, 0xE9]])
        #expect(ours.body == "text")
        #expect(try HTTPTypes::HTTPResponse(ours) == theirs)
    }

    @Test("A response with a field that swift-http-types can't contain is an invalid response")
    func invalidResponse() {
        var headers: Martlet::HTTPFields = [:]
        headers.append(nameBytes: "X Y".utf8, valueBytes: "1".utf8)
        let ours = Martlet::HTTPResponse(status: .ok, headers: headers, body: ())
        #expect(throws: HTTPError.invalidResponse) { try HTTPTypes::HTTPResponse(ours) }
    }
}
#endif
