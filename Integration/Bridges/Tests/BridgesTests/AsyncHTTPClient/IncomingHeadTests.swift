#if AsyncHTTPClient
import Foundation
import MartletTesting
import NIOHTTP1
import Testing

@testable import MartletBridges

@Suite("IncomingHead", .timeLimit(.minutes(5)))
struct IncomingHeadTests {
    private func head(
        _ status: Int = 200, _ lines: [(String, String)] = [], version: NIOHTTP1::HTTPVersion = .http1_1,
        _ change: (inout IncomingHead.Terms) -> Void = { _ in }
    ) throws -> IncomingHead {
        var terms = IncomingHead.Terms()
        change(&terms)
        let head = HTTPResponseHead(version: version, status: .init(statusCode: status), headers: HTTPHeaders(lines))
        return try IncomingHead(head, for: terms)
    }

    @Test("Fields keep their order, their case and their duplicates")
    func fields() throws {
        let read = try head(200, [("X-B", "1"), ("x-a", " é "), ("X-B", "2"), ("X-C", "")])
        #expect(read.headers.map { "\($0.name): \($0.value)" } == ["X-B: 1", "x-a: é", "X-B: 2", "X-C: "])
    }

    @Test("The version of the response is known")
    func versions() throws {
        #expect(try head(version: .http1_0).version == .http10)
        #expect(try head(version: .http1_1).version == .http11)
        #expect(try head(version: .http2).version == .http2)
    }

    @Test("HEAD, 204 and 304 have no body, whatever their fields say")
    func noBody() throws {
        let lines = [("Content-Length", "5"), ("Content-Encoding", "gzip")]
        for read in [try head(200, lines) { $0.isHead = true }, try head(204, lines), try head(304, lines)] {
            #expect(read.body == .none && read.decoder == nil)
            #expect(read.headers[.contentLength] == "5" && read.headers[.contentEncoding] == "gzip")
        }
    }

    @Test("A body is collected or streamed with its length, unless it is coded")
    func lengths() throws {
        #expect(try head(200, [("Content-Length", "5")]).body == .collected(length: 5, cut: nil))
        #expect(try head(200, [("Transfer-Encoding", "chunked")]).body == .collected(length: nil, cut: nil))
        #expect(try head(200, [("Content-Length", "5")]) { $0.isStreamed = true }.body == .streamed(length: 5))
        let coded = try head(200, [("Content-Length", "5"), ("Content-Encoding", "gzip")]) { $0.isStreamed = true }
        #expect(coded.body == .streamed(length: nil) && coded.decoder != nil && coded.headers.isEmpty)
        let kept = try head(200, [("Content-Encoding", "gzip")]) { $0.decodes = false }
        #expect(kept.decoder == nil && kept.headers.count == 1)
    }

    @Test("The body of a redirect that is followed is cut at its limit")
    func redirects() throws {
        let lines = [("Location", "/x"), ("Content-Length", "900000000")]
        #expect(try head(302, lines) { $0.followsRedirects = true }.body == .collected(length: nil, cut: 64 * 1024))
        #expect(throws: HTTPError.self) { try head(302, lines) }
    }

    @Test("Limits on the head, the fields and the announced body are errors that name them")
    func limits() throws {
        func failure(_ lines: [(String, String)], _ change: @escaping (inout ResponseLimits) -> Void) -> HTTPError? {
            let error = #expect(throws: HTTPError.self) { try head(200, lines) { change(&$0.limits) } }
            return error
        }
        #expect(failure([("A", "b"), ("A", "b")]) { $0.fieldCount = 1 } == .responseTooLarge(SizeLimitFailure(.fields, limit: 1)))
        #expect(failure([("A", "b")]) { $0.headBytes = 22 } == .responseTooLarge(SizeLimitFailure(.head, limit: 22)))
        #expect(try head(200, [("A", "b")]) { $0.limits.headBytes = 23 }.headers.count == 1)
        #expect(failure([("Content-Length", "6")]) { $0.bodyBytes = 5 } == .responseTooLarge(SizeLimitFailure(.body, limit: 5)))
    }

    @Test("A value with a line break or NUL, which HTTP/2 can transmit, is invalid and does not become another field (RFC 9113 §8.2.1)")
    func lineBreaks() {
        for value in ["ada\nset-cookie: sid=1", "ada\r", "\u{0}", "\n"] {
            let error = #expect(throws: HTTPError.self) { try head(200, [("x-user", value)], version: .http2) }
            #expect(error == .invalidResponse && error.map { !"\($0)".contains("ada") } == true)
        }
    }

    @Test("Framing that could be misread, an unrequested 101 and too many codings are invalid")
    func invalid() {
        for lines in [
            [("Content-Length", "1"), ("Content-Length", "2")], [("Transfer-Encoding", "gzip, chunked")],
            [("Content-Encoding", "gzip, gzip, gzip")],
        ] {
            let error = #expect(throws: HTTPError.self) { try head(200, lines) }
            #expect(error == .invalidResponse)
        }
        let error = #expect(throws: HTTPError.self) { try head(101) }
        #expect(error == .invalidResponse)
    }
}
#endif
