import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("UpgradeExchange: the request and the response of an upgrade", .timeLimit(.minutes(5)))
struct UpgradeExchangeTests {
    private func head(_ url: String, _ headers: HTTPFields = [:], method: HTTPMethod = .get, body: HTTPBody? = nil) throws -> String {
        let request = HTTPRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body)
        return String(decoding: try UpgradeRequestHead(request, url: url).bytes, as: UTF8.self)
    }

    @Test(
        "The request's target is the path and the query; its host has the port unless that is the default",
        arguments: [
            ("http://a.example", "/", "a.example"), ("https://a.example:443/", "/", "a.example"),
            ("http://A.example?x=/?", "/?x=/?", "a.example"),
            ("http://a.example:8080/b/../c%20d?e=f#g", "/b/../c%20d?e=f", "a.example:8080"), ("https://[::1]:99/b", "/b", "[::1]:99"),
        ])
    func target(url: String, target: String, host: String) throws {
        #expect(try head(url) == "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    @Test("A Host field replaces the URL's host; other fields keep their order and lines; a method other than GET and a body are refused")
    func fields() throws {
        let fields: HTTPFields = ["X-B": "1", "Host": "other", "X-A": ""]
        #expect(try head("http://a.example/", fields) == "GET / HTTP/1.1\r\nX-B: 1\r\nHost: other\r\nX-A: \r\n\r\n")
        #expect(throws: HTTPError.invalidRequest) { try head("http://a.example/", method: .post) }
        #expect(throws: HTTPError.invalidRequest) { try head("http://a.example/", body: HTTPBody("x")) }
    }

    /// What a response is, if its bytes arrive in pieces of a size.
    private struct Outcome: Equatable {
        var end = "more"
        var rest = ""
        var status = 0
        var body = ""
        var error: HTTPError?
        var endsWithConnection = false
    }

    private func receive(_ text: String, piece: Int) -> Outcome {
        var request = HTTPRequest(url: URL(string: "http://a.example/")!)
        request.context.limits.headBytes = 500
        request.context.limits.bodyBytes = 1000
        var reception = Reception(Reception.Terms(request, sendsBody: false, expectsContinue: false, maxContentCodings: 2))
        reception.begin(decodes: false, into: BodyBuffer())
        var head = ResponseHead(), response = UpgradeResponse(), outcome = Outcome()
        head.reset(limit: 500, fieldLimit: 10, acceptsUpgrade: true)
        var bytes = Array(text.utf8)[...]
        feed: while !bytes.isEmpty {
            let part = Array(bytes.prefix(piece))
            bytes = bytes.dropFirst(piece)
            switch part.withUnsafeBufferPointer({ response.receive($0, &head, &reception) }) {
            case .more: continue
            case .complete: outcome.end = "complete"
            case .switched(let end):
                outcome.end = "switched"
                outcome.rest = String(decoding: part[end...] + bytes, as: UTF8.self)
            }
            break feed
        }
        outcome.endsWithConnection = response.endsWithConnection
        if case .failure(let error) = reception.end(.success(())), outcome.end == "complete" { outcome.error = error }
        outcome.status = reception.status.rawValue
        outcome.body = String(decoding: reception.takeBody(), as: UTF8.self)
        return outcome
    }

    @Test("A response is the same however its bytes are divided", arguments: [1, 2, 3, 7, 1000])
    func pieces(piece: Int) {
        #expect(
            receive("HTTP/1.1 101 Yes\r\nUpgrade: x\r\n\r\nHTTP/1.1 404\r\n", piece: piece)
                == Outcome(end: "switched", rest: "HTTP/1.1 404\r\n", status: 101))
        #expect(
            receive("HTTP/1.1 100 Wait\r\n\r\nHTTP/1.1 103 Hint\r\nLink: x\r\n\r\nHTTP/1.1 101 Yes\n\n", piece: piece)
                == Outcome(end: "switched", status: 101))
        #expect(
            receive("HTTP/1.1 401 No\r\nContent-Length: 3\r\n\r\nabcdef", piece: piece)
                == Outcome(end: "complete", status: 401, body: "abc"))
        #expect(receive("HTTP/1.1 401 No\r\nContent-Length: 3\r\n\r\nab", piece: piece) == Outcome(status: 401, body: "ab"))
        #expect(receive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nx", piece: piece) == Outcome(end: "complete", status: 200))
        #expect(receive("HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n", piece: piece) == Outcome(end: "complete", status: 304))
        #expect(receive("HTTP/1.0 200 OK\r\n\r\nabc", piece: piece) == Outcome(status: 200, body: "abc", endsWithConnection: true))
        #expect(
            receive(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3 ;a=\"b\"\r\nabc\r\n0A\r\n0123456789\r\n00\r\nT: u\r\n\r\nx",
                piece: piece)
                == Outcome(end: "complete", status: 200, body: "abc0123456789"))
        #expect(receive("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", piece: piece) == Outcome(status: 200, body: "ab"))
    }

    @Test(
        "A malformed response fails, also byte by byte",
        arguments: [
            "hello\r\n", "HTTP/1.1 101 Yes\r\n Folded: x\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000000000000000\r\n",
        ])
    func malformed(text: String) {
        for piece in [1, 1000] {
            let outcome = receive(text, piece: piece)
            #expect(outcome.end == "complete" && outcome.error == .invalidResponse)
        }
    }

    @Test("A head without an end, a body over the limit, and lines of chunks without content end at a limit")
    func limits() {
        for piece in [1, 1000] {
            #expect(
                receive("HTTP/1.1 101 " + String(repeating: "x", count: 600), piece: piece).error
                    == .responseTooLarge(.init(.head, limit: 500)))
            let many = String(repeating: "HTTP/1.1 100 Go\r\n\r\n", count: 40)
            #expect(receive(many, piece: piece).error == .responseTooLarge(.init(.head, limit: 500)))
            let body = "HTTP/1.1 401 No\r\n\r\n" + String(repeating: "x", count: 1001)
            #expect(receive(body, piece: piece).error == .responseTooLarge(.init(.body, limit: 1000)))
        }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "x", count: ChunkedBody.maxSkipped)
        #expect(receive(chunked, piece: 64 * 1024).error == .invalidResponse)
    }
}

@Suite("UpgradePlaces: the limit on upgraded connections", .timeLimit(.minutes(5)))
struct UpgradePlacesTests {
    @Test("Connections spread over the engines, and each place is freed once")
    func spread() throws {
        let places = UpgradePlaces(engines: 3, limit: 4)
        let all = try (0..<3).map { _ in try places.take(preferring: nil) }
        #expect(all.map(\.engine) == [0, 1, 2])
        let preferred = try places.take(preferring: 1)
        #expect(preferred.engine == 1)
        #expect(throws: HTTPError.limitExceeded) { try places.take(preferring: nil) }
        all[2].leave()
        all[2].leave()
        #expect(places.taken == 3)
        let last = try places.take(preferring: nil)
        #expect(last.engine == 2 && places.taken == 4)
    }

    @Test("A released place is free; 0 is no limit")
    func released() throws {
        let places = UpgradePlaces(engines: 1, limit: 1)
        for _ in 0..<3 { _ = try places.take(preferring: nil) }
        #expect(places.taken == 0)
        let endless = UpgradePlaces(engines: 1, limit: 0)
        let all = try (0..<3).map { _ in try endless.take(preferring: nil) }
        #expect(endless.taken == 3)
        _ = consume all
    }
}
