import Foundation
import MartletHTTP
import MartletSystem
import TestSupport
import Testing

@testable import MartletCurl

@Suite("CurlTransport: waiting for 100 Continue (RFC 9110 §10.1.1)", .timeLimit(.minutes(5)))
struct ExpectContinueTests {
    private let transport = CurlTransport()

    /// A request that waits for the server's permission to send its body, and whose stream counts its reads.
    private func request(
        _ server: RawServer, count: Locked<Int>, wait: Duration = .seconds(600), isStreamed: Bool = false
    ) -> HTTPRequest {
        let body = HTTPBody(length: nil) {
            count.withLock { count in
                count += 1
                return count < 3 ? Data("abc".utf8) : nil
            }
        }
        var request = HTTPRequest(method: .post, url: server.url(), body: body)
        request.context.expectContinue = wait
        request.context.streamsBody = isStreamed
        return request
    }

    @Test("The body is sent when the server permits it, and not before")
    func leave() async throws {
        let count = Locked(0), heads = Locked<[String]>([])
        let server = RawServer { connection in
            guard let head = connection.readHead() else { return }
            heads.withLock { $0.append(head) }
            let before = count.withLock { $0 }
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            guard let body = connection.read(5 * 2 + 6 + 5) else { return }
            let text = "\(before) \(body.count)"
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
        let response = try await transport.send(request(server, count: count))
        #expect(try await response.body.collect() == Data("0 21".utf8))
        #expect(heads.withLock { $0 }.first?.contains("\r\nExpect: 100-continue") == true)
    }

    @Test(
        "A refusal is returned as the response: no body is sent, the stream is not read, and the request is not repeated",
        arguments: [401, 413, 417])
    func refusal(status: Int) async throws {
        for isStreamed in [false, true] {
            let count = Locked(0), followed = Locked(Data())
            let gate = Gate()
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.send("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\n\r\nno")
                if let more = connection.read(1) { followed.withLock { $0 += more } }
                gate.open()
            }
            do {
                let response = try await CurlTransport().send(request(server, count: count, isStreamed: isStreamed))
                #expect(response.status.rawValue == status)
                // libcurl returns no body for a 417.
                #expect(try await response.body.collect() == Data((status == 417 ? "" : "no").utf8))
            }
            await gate.opened()
            #expect(count.withLock { $0 } == 0)
            #expect(followed.withLock { $0 }.isEmpty)
            #expect(server.connectionCount == 1)
        }
    }

    @Test("If the server sends no interim response, the body is sent after the wait")
    func silence() async throws {
        let count = Locked(0)
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let response = try await transport.send(request(server, count: count, wait: .milliseconds(20)))
        #expect(response.status == .ok)
        #expect(server.requests.first?.body == Data("abcabc".utf8))
        #expect(count.withLock { $0 } == 3)
    }

    @Test("Bytes in memory and files wait for permission too; an empty body does not")
    func kinds() async throws {
        let server = RawServer { connection in
            while let head = connection.readHead() {
                if head.contains("Expect: ") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                if head.contains("Content-Length: 4") { _ = connection.read(4) }
                let text = head.contains("Expect: 100-continue") ? "asked" : "plain"
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\(text)")
            }
        }
        func answer(_ body: HTTPBody?, wait: Duration?) async throws -> String {
            var request = HTTPRequest(method: .post, url: server.url(), body: body)
            request.context.expectContinue = wait
            return String(decoding: try await transport.send(request).body.collect(), as: UTF8.self)
        }
        #expect(try await answer(HTTPBody("four"), wait: .seconds(600)) == "asked")
        #expect(try await answer(HTTPBody("four"), wait: nil) == "plain")
        #expect(try await answer(nil, wait: .seconds(600)) == "plain")
        #expect(try await answer(HTTPBody(""), wait: .seconds(600)) == "plain")
    }

    @Test("A connection whose announced body was not sent is not reused, because the server would take the next request for the body")
    func connectionOfUnsentBody() async throws {
        let count = Locked(0), followed = Locked(Data()), gate = Gate()
        let server = RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            // Closed by the client without further bytes.
            if let more = connection.read(1) { followed.withLock { $0 += more } }
            gate.open()
        }
        let response = try await transport.send(request(server, count: count))
        #expect(try await response.body.collect() == Data("ok".utf8))
        await gate.opened()
        #expect(followed.withLock { $0 }.isEmpty && count.withLock { $0 } <= 1)
    }
}
