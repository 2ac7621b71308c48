import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletClient
@testable import MartletCurl

@Suite("CurlTransport: responses with a content coding", .timeLimit(.minutes(5)))
struct CodedResponseTests {
    private let transport = CurlTransport()

    private func answer(
        _ coding: String, _ bytes: Data, isStreamed: Bool, framing: String = "Connection: close\r\n", over other: CurlTransport? = nil
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(Data("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\(framing)\r\n".utf8) + bytes)
        }
        var request = HTTPRequest(url: server.url())
        request.context.streamsBody = isStreamed
        return try await (other ?? transport).send(request)
    }

    @Test("Each requested coding is decoded", arguments: CodedSamples.all.indices, [false, true])
    func codings(index: Int, isStreamed: Bool) async throws {
        let (name, bytes) = CodedSamples.all[index]
        let response = try await answer(name, bytes, isStreamed: isStreamed)
        #expect(try await response.body.collect() == CodedSamples.text)
        #expect(response.headers[.contentEncoding] == nil)
    }

    @Test(
        "Truncated coded data is an error, whether the connection or the length ends it",
        arguments: [false, true])
    func cutShort(isStreamed: Bool) async throws {
        for framing in ["Connection: close\r\n", "Content-Length: 50\r\n"] {
            let error = await #expect(throws: HTTPError.self) {
                try await answer("gzip", CodedSamples.gzip.prefix(50), isStreamed: isStreamed, framing: framing).body.collect()
            }
            guard case .invalidResponse = error else { Issue.record("\(String(describing: error))"); return }
        }
    }

    @Test("A response with an unknown coding keeps its status and its coded body", arguments: [false, true])
    func unknown(isStreamed: Bool) async throws {
        let response = try await answer("frob", Data("as it is".utf8), isStreamed: isStreamed)
        #expect(response.status == .ok)
        #expect(response.headers[.contentEncoding] == "frob")
        #expect(try await response.body.collect() == Data("as it is".utf8))
    }

    @Test("A response with more codings than the configured limit fails", arguments: [false, true])
    func codingLimit(isStreamed: Bool) async throws {
        let coded = CodedSamples.storedGzip(CodedSamples.storedGzip(CodedSamples.gzip))
        let error = await #expect(throws: HTTPError.self) { try await answer("gzip, gzip, gzip", coded, isStreamed: isStreamed) }
        let words = "the response has 3 content codings; the transport accepts at most 2 (maxContentCodings)"
        #expect(error == .invalidResponse(Explanation(words)))
        var configuration = CurlTransport.Configuration()
        configuration.maxContentCodings = 3
        let response = try await answer("gzip, gzip, gzip", coded, isStreamed: isStreamed, over: CurlTransport(configuration))
        #expect(try await response.body.collect() == CodedSamples.text)
    }

    @Test("A body that decodes to nothing without end fails at the deadline")
    func endless() async throws {
        let empty = Data((0..<10_000).map { _ in CodedSamples.storedGzip(Data()) }.joined())
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8))
            while connection.send(empty) {}
        }
        let client = HTTPClient(
            baseURL: server.url(), transport: transport, configuration: .init(totalTimeout: .milliseconds(500)))
        #expect(await client.result(of: Request<Data>.get("")) == .failure(.timeout))
    }

    @Test("A stream that expands strongly is decoded only as far as its buffer holds, and arrives complete")
    func backpressure() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.streamBufferSize = 100_000
        let response = try await answer(
            "gzip, gzip", CodedSamples.bomb, isStreamed: true, over: CurlTransport(configuration))
        var count = 0
        var largest = 0
        for try await chunk in response.body {
            count += chunk.count
            largest = max(largest, chunk.count)
        }
        #expect(count == CodedSamples.bombSize)
        #expect(largest <= 100_000)
    }

    @Test(
        "Corrupt data that was held back for a slow reader fails immediately, not when the connection ends",
        arguments: [8192, 16_384, 100_000])
    func brokenWhileHeld(capacity: Int) async throws {
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            let broken = CodedSamples.storedGzip(Data(repeating: 7, count: 400_000), checksum: 1)
            connection.send(Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + broken)
            connection.waitForClose()
        }
        var configuration = CurlTransport.Configuration()
        configuration.streamBufferSize = capacity
        let client = HTTPClient(
            baseURL: server.url(), transport: CurlTransport(configuration), configuration: .init(idleTimeout: .seconds(10)))
        let body = try await client.stream(Request<Data>.get("")).body
        let error = await #expect(throws: HTTPError.self) { for try await _ in body {} }
        guard case .invalidResponse = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("A carriage return in a field value becomes a space (RFC 9110 §5.5)")
    func bareCarriageReturn() async throws {
        let response = try await answer("identity\r\nX: a\rSet-Cookie: b=1 c", Data(), isStreamed: false)
        #expect(response.headers["X"] == "a Set-Cookie: b=1 c")
        #expect(response.headers["Set-Cookie"] == nil)
    }
}
