import Foundation
import Martlet
import MartletCurl
import Testing

/// nginx retires a connection after `keepalive_requests` requests, 1,000 by default: it sends GOAWAY, and ignores the streams that follow.
@Suite("nginx: retired connections", .serialized)
struct NginxRetirementTests {
    /// What became of a number of requests.
    private struct Sent {
        /// The requests that failed, by their errors.
        var failures: [String: Int] = [:]
        /// The number of requests that the server has processed.
        var processed = 0
        /// The number of requests that the server has processed more than once.
        var doubled = 0
        var connections: Set<String> = []
    }

    /// Sends numbered requests, 64 at a time, and counts them in the server's log.
    private func send(_ count: Int, _ method: HTTPMethod, to server: String, body: String?, engines: Int = 2) async throws -> Sent {
        let transport = try Servers.transport { $0.engines = engines }
        let url = try Servers.url(server, "/posts"), run = UUID().uuidString
        var sent = await withTaskGroup(of: Sent.self) { group in
            for worker in 0..<64 {
                group.addTask {
                    var sent = Sent()
                    for number in 0..<count / 64 {
                        let request = HTTPRequest(
                            method: method, url: url, headers: ["X-Number": "\(run)-\(worker)-\(number)"], body: body.map { HTTPBody(Data($0.utf8)) })
                        do throws(HTTPError) {
                            sent.connections.insert(String(decoding: try await transport.send(request).body.collect(), as: UTF8.self))
                        } catch { sent.failures["\(error)", default: 0] += 1 }
                    }
                    return sent
                }
            }
            var all = Sent()
            for await one in group {
                for (failure, count) in one.failures { all.failures[failure, default: 0] += count }
                all.connections.formUnion(one.connections)
            }
            return all
        }
        var counts: [Substring: Int] = [:]
        // nginx writes a line after it has sent the response.
        for _ in 0..<100 where counts.count < count {
            counts = [:]
            for line in try Servers.text("posts.log").split(separator: "\n") where line.hasPrefix(run) {
                counts[line.prefix { $0 != " " }, default: 0] += 1
            }
            if counts.count < count { try await Task.sleep(for: .milliseconds(20)) }
        }
        sent.processed = counts.count
        sent.doubled = counts.values.count { $0 > 1 }
        return sent
    }

    @Test("Of 20,000 POSTs over HTTP/2 none fails and none is processed twice, with the default number of requests for each connection")
    func defaults() async throws {
        let sent = try await send(20_032, .post, to: "HTTPS", body: "text")
        #expect(sent.failures == [:])
        #expect(sent.processed == 20_032)
        #expect(sent.doubled == 0)
        #expect(sent.connections.count >= 20)
    }

    @Test("Nor if each connection serves twenty requests", arguments: [1, 2, 3])
    func twenty(engines: Int) async throws {
        let sent = try await send(2048, .post, to: "RETIRING", body: "text", engines: engines)
        #expect(sent.failures == [:])
        #expect(sent.processed == 2048)
        #expect(sent.doubled == 0)
        #expect(sent.connections.count >= 100)
    }

    @Test("A DELETE without a body, a PUT and a GET survive retired connections too", arguments: ["DELETE", "PUT", "GET"])
    func idempotent(method: String) async throws {
        let sent = try await send(2048, HTTPMethod(rawValue: method), to: "RETIRING", body: method == "PUT" ? "text" : nil)
        #expect(sent.failures == [:])
        #expect(sent.processed == 2048)
    }

    @Test("No POST without a body fails or is processed twice")
    func withoutBody() async throws {
        let sent = try await send(2048, .post, to: "RETIRING", body: nil)
        #expect(sent.failures == [:])
        #expect(sent.processed == 2048)
        #expect(sent.doubled == 0)
    }
}
