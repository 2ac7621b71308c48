import Foundation
import MartletHTTP
import Testing

@testable import MartletURLSession

@Suite("SessionHead", .timeLimit(.minutes(5)))
struct SessionHeadTests {
    private func head(
        _ fields: [(String, String)], status: Int = 200, to method: HTTPMethod = .get, limit: Int = 10_000
    ) throws(HTTPError) -> SessionHead {
        try SessionHead(
            status: status, fields: fields.map { (name: $0.0, value: $0.1) }, to: method, limits: ResponseLimits(headBytes: limit))
    }

    @Test("The order of the fields is always the same")
    func order() throws {
        let head = try head([("B", "2"), ("a", "3"), ("A", "1")])
        #expect(head.headers.map(\.name.rawName) == ["A", "B", "a"])
        #expect(head.status == .ok)
    }

    @Test(
        "Joined lines of Set-Cookie are split, except at commas in dates",
        arguments: [
            ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1,b=2; Path=/", ["a=1", "b=2; Path=/"]),
            ("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2", ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2"]),
            ("a=1; expires=Wednesday, 21-Oct-26 07:28:00 GMT", ["a=1; expires=Wednesday, 21-Oct-26 07:28:00 GMT"]),
            ("a=1, 2, 3", ["a=1, 2, 3"]), ("a=, b=x=y", ["a=", "b=x=y"]), ("", [""]),
        ])
    func cookies(joined: String, lines: [String]) throws {
        #expect(try head([("set-cookie", joined)]).headers.values(for: .setCookie) == lines)
    }

    @Test("The length is that of the decoded body, or unknown")
    func length() throws {
        #expect(try head([("Content-Length", "12")]).length == 12)
        #expect(try head([("Content-Length", "12, 12")]).length == 12)
        #expect(try head([("Content-Length", "12"), ("Transfer-Encoding", "chunked")]).length == nil)
        let encoded = try head([("Content-Length", "12"), ("content-encoding", "br")])
        #expect(encoded.length == nil)
        #expect(encoded.headers.isEmpty)
        #expect(try head([]).length == nil)
    }

    @Test("The response to HEAD keeps the fields that describe the content")
    func toHead() throws {
        let head = try head([("Content-Length", "12"), ("Content-Encoding", "br")], to: .head)
        #expect(head.hasNoBody)
        #expect(head.headers[.contentEncoding] == "br")
        #expect(head.headers[.contentLength] == "12")
    }

    @Test(
        "An invalid Content-Length is an invalid response (RFC 9112 §6.3)",
        arguments: ["x", "-1", "+1", "1, 2", "99999999999999999999"])
    func badLength(value: String) {
        #expect(throws: HTTPError.invalidResponse(Explanation("Content-Length is not one number: \(value)"))) {
            try head([("Content-Length", value)])
        }
    }

    @Test("Invalid characters in a value become spaces (RFC 9110 §5.5)")
    func cleaned() throws {
        let head = try head([("A", "a\rSet-Cookie: b=1\u{0}ä")])
        #expect(head.headers["A"] == "a Set-Cookie: b=1 ä")
        #expect(head.headers.firstInvalidLine == nil)
    }

    @Test("A body with fewer bytes than announced is truncated, unless the response has no body or an unknown length")
    func cutShort() throws {
        let fields = [("Content-Length", "12")]
        #expect(try head(fields).isCutShort(after: 11))
        #expect(try !head(fields).isCutShort(after: 12))
        #expect(try !head(fields, to: .head).isCutShort(after: 0))
        #expect(try !head(fields, status: 304).isCutShort(after: 0))
        #expect(try !head(fields + [("Content-Encoding", "br")]).isCutShort(after: 1))
        #expect(try !head([]).isCutShort(after: 0))
    }

    @Test("More fields than the limit is an error that names the limit on fields")
    func fieldLimit() throws {
        let fields = [(name: "A", value: "1"), (name: "B", value: "2")]
        _ = try SessionHead(status: 200, fields: fields, to: .get, limits: ResponseLimits(fieldCount: 2))
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.fields, limit: 1))) {
            try SessionHead(status: 200, fields: fields, to: .get, limits: ResponseLimits(fieldCount: 1))
        }
    }

    @Test("The size of a head is counted as transmitted")
    func limit() throws {
        // "HTTP/1.1 200 OK" and "A: 1" with their line ends.
        #expect(try head([("A", "1")], limit: 23).status == .ok)
        #expect(throws: HTTPError.responseTooLarge(SizeLimitFailure(.head, limit: 22))) { try head([("A", "1")], limit: 22) }
    }
}
