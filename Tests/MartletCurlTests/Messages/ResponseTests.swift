import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: responses of servers", .timeLimit(.minutes(5)))
struct ResponseTests {
    private let transport = CurlTransport()
    private static let gzipped = Data([
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159, 161, 202, 9, 19, 0, 0, 0,
    ])

    private func answer(_ text: String, _ more: Data = Data(), to request: (RawServer) -> HTTPRequest = { HTTPRequest(url: $0.url()) })
        async throws(HTTPError) -> HTTPResponse<HTTPBody>
    {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(Data(text.utf8) + more)
        }
        return try await transport.send(request(server))
    }

    private func failure(_ text: String, _ more: Data = Data(), limits: ResponseLimits = .init(), streamed: Bool = false) async
        -> HTTPError?
    {
        do {
            let response = try await answer(text, more) { server in
                var request = HTTPRequest(url: server.url())
                request.context.limits = limits
                request.context.streamsBody = streamed
                return request
            }
            _ = try await response.body.collect()
            return nil
        } catch { return error }
    }

    @Test("Lines without a space, a missing reason and Latin-1 are accepted (RFC 9112 §4, §5)")
    func lenient() async throws {
        let bytes = Data("HTTP/1.1 200\r\nA:1\r\nName: caf".utf8) + [0xE9] + Data("\r\nContent-Length:2\r\n\r\nok".utf8)
        let response = try await answer("", bytes)
        #expect(response.status == .ok)
        #expect(response.headers["A"] == "1")
        #expect(response.headers["Name"] == "café")
    }

    @Test("Set-Cookie lines stay separate and in order")
    func duplicates() async throws {
        let response = try await answer("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n")
        #expect(response.headers.values(for: .setCookie) == ["a=1", "b=2"])
    }

    @Test("Folded lines are joined (RFC 9112 §5.2)")
    func folded() async throws {
        let response = try await answer("HTTP/1.1 200 OK\r\nA: one\r\n two\r\nContent-Length: 0\r\n\r\n")
        #expect(response.headers["A"] == "one two")
    }

    @Test("Trailers are kept apart from the head (RFC 9112 §7.1.2)")
    func trailers() async throws {
        let response = try await answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\nX-Sum: 8\r\n\r\n")
        #expect(response.body.buffered == Data("ok".utf8))
        #expect(response.headers["X-Sum"] == nil)
        #expect(response.metadata.trailers.values(for: "X-Sum") == ["7", "8"])
    }

    @Test("A 204 or 304 has no body, whatever its fields say (RFC 9110 §6.4.1)", arguments: [204, 304])
    func noContent(status: Int) async throws {
        let response = try await answer("HTTP/1.1 \(status) X\r\nContent-Length: 500000000\r\n\r\n")
        #expect(response.status.rawValue == status)
        #expect(response.body.buffered == Data())
    }

    @Test("gzip is decoded, and the fields that describe it are removed (RFC 9110 §8.4)", arguments: [false, true])
    func decompresses(isStreamed: Bool) async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.gzipped.count)\r\nA: 1\r\n\r\n"
        let response = try await answer(text, Self.gzipped) { server in
            var request = HTTPRequest(url: server.url())
            request.context.streamsBody = isStreamed
            return request
        }
        #expect(response.headers.map(\.name) == ["A"])
        #expect(try await response.body.collect() == Data("hello, hello, hello".utf8))
    }

    @Test("A request with its own Accept-Encoding or Range gets the body coded, and the next request does not")
    func rawBytes() async throws {
        let gzipped = Self.gzipped
        let server = RawServer { connection in
            while connection.readRequest() != nil {
                connection.send(
                    Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzipped.count)\r\n\r\n".utf8) + gzipped)
            }
        }
        for fields: HTTPFields in [["accept-encoding": "gzip"], ["RANGE": "bytes=0-"]] {
            let response = try await transport.send(HTTPRequest(url: server.url(), headers: fields))
            #expect(response.headers[.contentEncoding] == "gzip")
            #expect(response.headers[.contentLength] == "\(gzipped.count)")
            #expect(response.body.buffered == gzipped)
        }
        let next = try await transport.send(HTTPRequest(url: server.url()))
        #expect(next.body.buffered == Data("hello, hello, hello".utf8))
        #expect(server.requests[0].values("Accept-Encoding") == ["gzip"])
        #expect(server.requests[1].values("Accept-Encoding") == [])
        #expect(server.requests[2].value("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test("The limit on bodies counts decoded bytes and stops a decompression bomb")
    func bomb() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.gzipped.count)\r\n\r\n"
        let error = await failure(text, Self.gzipped, limits: ResponseLimits(bodyBytes: 18))
        #expect(error == .responseTooLarge(SizeLimitFailure(.body, limit: 18)))
        #expect(await failure(text, Self.gzipped, limits: ResponseLimits(bodyBytes: 19)) == nil)
    }

    @Test("A body over the limit is an error, with and without Content-Length")
    func bodyLimit() async throws {
        let limits = ResponseLimits(bodyBytes: 4)
        let expected = HTTPError.responseTooLarge(SizeLimitFailure(.body, limit: 4))
        #expect(await failure("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", limits: limits) == expected)
        #expect(await failure("HTTP/1.1 200 OK\r\n\r\nhello", limits: limits) == expected)
        #expect(await failure("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhell", limits: limits) == nil)
    }

    @Test("A head over the limit is an error, and interim responses count", arguments: [true, false])
    func headLimit(streamed: Bool) async throws {
        let long = "A: " + String(repeating: "x", count: 600) + "\r\n"
        let interim = "HTTP/1.1 103 E\r\n" + long + "\r\n"
        let expected = HTTPError.responseTooLarge(SizeLimitFailure(.head, limit: 1000))
        let limits = ResponseLimits(headBytes: 1000)
        let end = "Content-Length: 0\r\n\r\n"
        #expect(await failure("HTTP/1.1 200 OK\r\n" + long + long + end, limits: limits, streamed: streamed) == expected)
        #expect(await failure(interim + "HTTP/1.1 200 OK\r\n" + long + end, limits: limits, streamed: streamed) == expected)
        #expect(await failure("HTTP/1.1 200 OK\r\n" + long + end, limits: limits, streamed: streamed) == nil)
    }

    @Test("Endless interim responses, fields and trailers are errors that name the limit", arguments: [true, false])
    func endless(streamed: Bool) async throws {
        func many(_ line: String) -> String { String(repeating: line, count: 20_000) }
        let head = HTTPError.responseTooLarge(SizeLimitFailure(.head, limit: ResponseLimits().headBytes))
        let fields = HTTPError.responseTooLarge(SizeLimitFailure(.fields, limit: ResponseLimits().fieldCount))
        let coded = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
        #expect(await failure(many("HTTP/1.1 103 Early Hints\r\n\r\n"), streamed: streamed) == head)
        #expect(await failure("HTTP/1.1 200 OK\r\n" + many("A: b\r\n"), streamed: streamed) == fields)
        #expect(await failure(coded + many("A: b\r\n"), streamed: streamed) == fields)
        #expect(await failure(coded + "A: b\r\n" + many(" folded folded\r\n"), streamed: streamed) == head)
    }

    @Test("A line over libcurl's own limit is a head that is too large, not a lack of memory")
    func longLine() async throws {
        let error = await failure("HTTP/1.1 200 OK\r\nA: " + String(repeating: "x", count: 200_000) + "\r\nContent-Length: 0\r\n\r\n")
        #expect(error == .responseTooLarge(SizeLimitFailure(.head, limit: ResponseLimits().headBytes)))
    }

    @Test(
        "A response that is malformed or not HTTP is an invalid response, never a truncated success",
        arguments: [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n", "SSH-2.0-OpenSSH\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\n\u{1F}",
        ], [true, false])
    func broken(text: String, streamed: Bool) async {
        let error = await failure(text, streamed: streamed)
        guard case .invalidResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "A connection that ends within the head or the body is a lost connection with the matching stage",
        arguments: [
            ("HTTP/1.1 2", ErrorContext.Stage.exchange), ("HTTP/1.1 200 OK\r\n", .exchange), ("HTTP/1.1 200 OK\r\nContent-Le", .exchange),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", .exchange), ("HTTP/1.1 103 Early Hints\r\n\r\n", .exchange),
            ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789", .body),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .body),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 50\r\n\r\n\u{1F}", .body),
        ] as [(String, ErrorContext.Stage)], [true, false])
    func lost(_ sent: (text: String, stage: ErrorContext.Stage), streamed: Bool) async {
        let error = await failure(sent.text, streamed: streamed)
        #expect(error == .networkError(NetworkFailure(.connectionLost)))
        #expect(error?.stage == sent.stage)
    }
}
