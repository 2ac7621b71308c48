import Foundation
import MartletTesting
import MartletURLSession
import Testing

@Suite("URLSessionTransport: responses of servers", .timeLimit(.minutes(5)))
struct ResponseTests {
    private let transport = URLSessionTransport()
    private static let gzipped = Data([
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159, 161, 202, 9, 19, 0, 0, 0,
    ])

    private func answer(
        _ text: String, _ more: Data = Data(), limits: ResponseLimits = .init(), isStreamed: Bool = false
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let server = try await MockServer.start()
        server.enqueue(.raw(Data(text.utf8) + more))
        var request = server.request()
        request.context.limits = limits
        request.context.streamsBody = isStreamed
        return try await transport.send(request)
    }

    private func failure(
        _ text: String, _ more: Data = Data(), limits: ResponseLimits = .init(), isStreamed: Bool = false
    ) async -> HTTPError? {
        do {
            _ = try await answer(text, more, limits: limits, isStreamed: isStreamed).body.collect()
            return nil
        } catch { return error }
    }

    @Test("Set-Cookie lines stay separate and in order")
    func duplicates() async throws {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n")
        #expect(response.headers.values(for: .setCookie) == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"])
    }

    @Test(
        "A compressed body is returned decompressed, without the fields that describe the coding",
        arguments: [false, true])
    func compressed(isStreamed: Bool) async throws {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.gzipped.count)\r\n\r\n", Self.gzipped,
            isStreamed: isStreamed)
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == nil)
        #expect(response.body.length == (!isStreamed ? 19 : nil))
        #expect(try await response.body.collect() == Data("hello, hello, hello".utf8))
    }

    @Test("A body that is not gzip although its coding says so is an invalid response")
    func badEncoding() async throws {
        let error = await failure("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")
        guard case .invalidResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Responses with a status that forbids content have no body", arguments: [204, 304], [false, true])
    func noContent(status: Int, isStreamed: Bool) async throws {
        let response = try await answer("HTTP/1.1 \(status) X\r\nETag: \"x\"\r\n\r\n", isStreamed: isStreamed)
        #expect(response.status.rawValue == status)
        #expect(response.headers["ETag"] == "\"x\"")
        #expect(response.body.buffered == Data())
    }

    @Test("A head over the limit is an error", arguments: [1000, 200_000])
    func headLimit(size: Int) async throws {
        let text = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: size))\r\nContent-Length: 0\r\n\r\n"
        let error = await failure(text, limits: ResponseLimits(headBytes: 900))
        #expect(error == .responseTooLarge(SizeLimitFailure(.head, limit: 900)))
    }

    @Test("A chunk without a size is an invalid response, streamed or not", arguments: [false, true])
    func malformed(isStreamed: Bool) async throws {
        let error = await failure("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", isStreamed: isStreamed)
        guard case .invalidResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.stage == .body)
    }

    @Test("A response that is not HTTP is an invalid response or a lost connection", arguments: ["SSH-2.0-OpenSSH\r\n", "HTTP/1.1 2"])
    func notHTTP(text: String) async throws {
        let error = await failure(text)
        switch error {
        case .invalidResponse, .networkError: break
        default: Issue.record("\(String(describing: error))")
        }
    }
}
