import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCurl

@Suite("EasyHandle: from one transfer to the next", .timeLimit(.minutes(5)))
struct HandleReuseTests {
    @Test("A response whose first field line is folded is invalid, also after a response from another server")
    func foldedFirstLine() async throws {
        let transport = try CurlTransport.behaving(as: nil)
        let trusted = RawServer.answering("HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nContent-Length: 0\r\n\r\n")
        for blank in ["\t", " "] {
            let hostile = RawServer.answering("HTTP/1.1 200 OK\r\n\(blank)X: 1\r\nContent-Length: 0\r\n\r\n")
            for _ in 0..<3 {
                #expect(try await transport.send(HTTPRequest(url: trusted.url())).status == .ok)
                for _ in 0..<2 {
                    guard case .invalidResponse = await transport.failure(of: HTTPRequest(url: hostile.url())) else {
                        Issue.record("the folded line was accepted")
                        return
                    }
                }
            }
        }
    }

    @Test(
        "Requests with and without bodies of every kind follow each other",
        arguments: [nil, CurlVersion(7, 79, 0), CurlVersion(8, 6, 0), CurlVersion(8, 17, 0)])
    func kindsOfBodies(version: CurlVersion?) async throws {
        let transport = try CurlTransport.behaving(as: version)
        let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let small = Data("small".utf8), large = Data(repeating: 7, count: 100_000), empty = Data()
        let kinds: [(HTTPMethod, Data?)] = [
            (.get, nil), (.post, small), (.post, large), (.head, nil), (.put, small), (.get, nil), (.put, large), (.patch, small),
            (.post, empty), (.delete, nil),
        ]
        // Each kind after each other, and after itself.
        for first in kinds {
            for second in kinds {
                for (method, body) in [first, second] {
                    _ = try await transport.send(HTTPRequest(method: method, url: server.url(), body: body.map { HTTPBody($0) }))
                    let received = try #require(server.requests.last)
                    #expect(received.line == "\(method.rawValue) / HTTP/1.1")
                    #expect(received.body == body ?? empty)
                    #expect(received.value("Content-Length") == body.map { "\($0.count)" })
                    #expect(received.value("Transfer-Encoding") == nil)
                    #expect(received.value("Content-Type") == nil)
                }
            }
        }
    }

    @Test(
        "Calls succeed however many kept-alive connections have died before",
        arguments: [nil, CurlVersion(7, 81, 0), CurlVersion(8, 16, 0), CurlVersion(8, 17, 0)])
    func deadConnections(version: CurlVersion?) async throws {
        let transport = try CurlTransport.behaving(as: version)
        // Each connection serves one request, and reads another before it closes.
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = connection.readRequest()
        }
        var failures: [HTTPError] = []
        for _ in 0..<30 { if let failure = await transport.failure(of: HTTPRequest(url: server.url())) { failures.append(failure) } }
        #expect(failures == [])
    }

    @Test("A request fails for its own reasons after it was started again, and its body is sent whole")
    func startsAgain() async throws {
        let transport = try CurlTransport.behaving(as: CurlVersion(8, 17, 0))
        let server = RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = connection.readRequest()
        }
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        for _ in 0..<30 {
            #expect(try await transport.send(HTTPRequest(method: .put, url: server.url(), body: HTTPBody(bytes))).status == .ok)
        }
        // Each but the first was read twice: on a connection that then closed, and on a new one.
        #expect(server.requests.count == 59)
        #expect(server.requests.allSatisfy { $0.body == bytes })
    }
}
