#if AsyncHTTPClient
import Foundation
import Martlet
import MartletTesting
import NIOHTTP1
import Testing

@testable import MartletBridges

@Suite("OutgoingRequest", .timeLimit(.minutes(5)))
struct OutgoingRequestTests {
    private func outgoing(
        _ method: Martlet::HTTPMethod = .get, _ url: String = "http://a.example/x?y=1", headers: HTTPFields = [:], body: HTTPBody? = nil,
        over route: ClientRoute = ClientRoute()
    ) throws -> OutgoingRequest {
        try OutgoingRequest(
            HTTPRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body), route: route)
    }

    @Test("Lines keep their order, their case and their duplicates, without those that describe the body")
    func fields() throws {
        let sent = try outgoing(
            .post,
            headers: [
                "X-B": "1", "content-length": "7", "x-a": "é", "X-B": "2", "Transfer-Encoding": "chunked", "Accept-Encoding": "gzip",
            ],
            body: HTTPBody("x"))
        #expect(sent.headers.map { "\($0.name): \($0.value)" } == ["X-B: 1", "x-a: é", "X-B: 2", "Accept-Encoding: gzip"])
        #expect(sent.method == .POST)
    }

    @Test("The methods that HTTP registers, and others, keep their names and their case")
    func methods() throws {
        for name in ["GET", "QUERY", "PURGE", "get"] { #expect(try outgoing(.init(rawValue: name)).method.rawValue == name) }
    }

    @Test("Codings are requested and decoded unless the request sets Range or an Accept-Encoding other than identity")
    func codings() throws {
        #expect(try outgoing().decodes && outgoing().headers.contains(name: "Accept-Encoding"))
        let plain = try outgoing(headers: ["Accept-Encoding": "identity"])
        #expect(plain.decodes && plain.headers["accept-encoding"] == ["identity"])
        for fields in [["Range": "bytes=0-1"], ["Accept-Encoding": "br"]] as [HTTPFields] {
            let sent = try outgoing(headers: fields)
            #expect(!sent.decodes && sent.headers.count == 1)
        }
    }

    @Test("A value that is not UTF-8 is refused, because it would arrive changed")
    func notUTF8() throws {
        var fields = HTTPFields()
        fields.append(nameBytes: "X-Secret".utf8, valueBytes: [0x63, 0xE9])
        let error = #expect(throws: HTTPError.self) { try outgoing(headers: fields) }
        #expect(error == .invalidRequest && "\(error!)".contains("X-Secret"))
    }

    @Test("A body in memory has its length, a stream is sent in chunks unless its length is known, and an empty body is none")
    func bodies() throws {
        func kind(_ body: HTTPBody?) throws -> String {
            switch try outgoing(.post, body: body).body {
            case .none: "none"
            case .bytes(let data): "\(data.count) bytes"
            case .chunks(_, let length): "chunks, \(length.map { "\($0)" } ?? "unknown")"
            }
        }
        #expect(try [nil, HTTPBody(""), HTTPBody("abc")].map(kind) == ["none", "none", "3 bytes"])
        // Larger ones are written in chunks, after which a response may end the sending.
        #expect(try [65_536, 65_537].map { HTTPBody(Data(count: $0)) }.map(kind) == ["65536 bytes", "chunks, 65537"])
        #expect(try kind(HTTPBody { nil }) == "chunks, unknown")
        #expect(try kind(HTTPBody(length: 5) { nil }) == "chunks, 5")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try Data("1234".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try kind(HTTPBody(file: file)) == "chunks, 4")
    }

    @Test("A user name and a password in a URL are not sent")
    func userInfo() throws {
        #expect(try outgoing(.get, "http://u:p@a.example/x").url == "http://a.example/x")
    }

    @Test("Over a socket the URL names its path, the target is kept, and Host is that of the URL")
    func socket() throws {
        let route = ClientRoute(unixSocket: "/run/my app.sock")
        let sent = try outgoing(.get, "http://a.example:80/x%2Fy?z#f", over: route)
        #expect(sent.url == "http+unix://%2Frun%2Fmy%20app.sock/x%2Fy?z" && sent.headers["Host"] == ["a.example"])
        #expect(try outgoing(.get, "http://a.example:8080", over: route).headers["Host"] == ["a.example:8080"])
        #expect(try outgoing(.get, "http://a.example", headers: ["Host": "b"], over: route).headers["Host"] == ["b"])
        let error = #expect(throws: HTTPError.self) { try outgoing(.get, "HTTPS://a.example/", over: route) }
        #expect(error == .engineUnavailable)
    }

    @Test("With configured addresses the host is in lower case, because async-http-client compares it so")
    func addresses() throws {
        let route = ClientRoute(addresses: ["a.example": "127.0.0.1"])
        #expect(try outgoing(.get, "http://A.Example:80/Path", over: route).url == "http://a.example:80/Path")
    }
}
#endif
