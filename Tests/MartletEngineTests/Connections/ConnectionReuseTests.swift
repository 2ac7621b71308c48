import Foundation
import MartletHTTP
import Testing

@testable import MartletEngine

@Suite("ConnectionReuse", .timeLimit(.minutes(5)))
struct ConnectionReuseTests {
    private func reuse(
        isRepeatable: Bool = false, announced: Duration? = nil, _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) -> ConnectionReuse {
        var configuration = TransportConfiguration()
        change(&configuration)
        return ConnectionReuse(
            isRepeatable: isRepeatable, announced: announced, maxIdleTime: configuration.maxIdleTime,
            maxIdleTimeWhenNotIdempotent: configuration.maxIdleTimeWhenNotIdempotent)
    }

    @Test("A repeatable request uses connections up to the general limit, whatever the server announces")
    func repeatable() {
        #expect(reuse(isRepeatable: true) == .idle(seconds: 60))
        #expect(reuse(isRepeatable: true, announced: .seconds(2)) == .idle(seconds: 60))
        #expect(reuse(isRepeatable: true) { $0.maxIdleTime = .milliseconds(10) } == .idle(seconds: 1))
    }

    @Test("A request that is not repeatable uses connections idle for less than four seconds, or the configured time")
    func standard() {
        #expect(reuse() == .idle(seconds: 3))
        #expect(reuse { $0.maxIdleTimeWhenNotIdempotent = .seconds(20) } == .idle(seconds: 19))
        #expect(reuse { $0.maxIdleTimeWhenNotIdempotent = .seconds(90) } == .idle(seconds: 59))
        #expect(reuse { $0.maxIdleTime = .seconds(3) } == .idle(seconds: 2))
    }

    @Test("A server's announced timeout minus one second replaces the configured one, rounded down to whole seconds")
    func announced() {
        #expect(reuse(announced: .seconds(5)) == .idle(seconds: 3))
        #expect(reuse(announced: .seconds(3)) == .idle(seconds: 1))
        #expect(reuse(announced: .seconds(30)) == .idle(seconds: 28))
        #expect(reuse(announced: .seconds(300)) == .idle(seconds: 59))
        #expect(reuse(announced: .seconds(1_000_000_000)) == .idle(seconds: 59))
    }

    @Test("If the remaining time is too short to express in whole seconds, a new connection is made", arguments: [0, 1, 2])
    func never(seconds: Int) {
        #expect(reuse(announced: .seconds(seconds)) == .never)
        #expect(reuse { $0.maxIdleTimeWhenNotIdempotent = .seconds(min(1, seconds)) } == .never)
    }

    @Test(
        "The smallest timeout in the field's parameters is used",
        arguments: [
            ("timeout=5", 5), ("timeout=5, max=1000", 5), ("max=100,  Timeout = 15 ", 15), ("timeout=9, timeout=4", 4), ("timeout=0", 0),
            ("timeout=99999999999999999999", 1_000_000_000),
        ] as [(String, Int)])
    func field(value: String, seconds: Int) {
        #expect((["keep-alive": "\(value)"] as HTTPFields).keepAliveTimeout == .seconds(seconds))
    }

    @Test(
        "A field with a missing or malformed timeout is ignored",
        arguments: ["", "max=5", "timeout", "timeout=", "timeout=-1", "timeout=1s", "timeout=\"5\""])
    func malformed(value: String) {
        var fields = HTTPFields()
        fields["Keep-Alive"] = value
        #expect(fields.keepAliveTimeout == nil)
        #expect(HTTPFields().keepAliveTimeout == nil)
    }

    @Test(
        "The head of a response tells whether its connection may carry another exchange (RFC 9112 §9.3)",
        arguments: [
            ("1.1", "", true), ("1.0", "", false), ("1.1", "Connection: close", false), ("1.0", "Connection: Keep-Alive", true),
            ("1.1", "Connection: upgrade, Close", false), ("1.0", "Connection: keep-alive, close", false),
            ("1.1", "Connection: closed", true), ("1.0", "Connection: upgrade", false),
        ])
    func kept(version: String, field: String, keeps: Bool) {
        var feed = ReceptionFeed()
        feed.lines("HTTP/\(version) 200 OK")
        if !field.isEmpty { feed.lines(field) }
        feed.lines("Content-Length: 0", "")
        #expect(feed.reception.keepsConnection == keeps)
    }

    @Test(
        "A response with faulty framing is the last one on its connection (RFC 9112 §6.1, §6.3)",
        arguments: [
            ("1.1", "Transfer-Encoding: chunked", "Content-Length: 4", false),
            ("1.0", "Connection: keep-alive", "Transfer-Encoding: chunked", false),
            ("1.1", "Transfer-Encoding: chunked", "Connection: keep-alive", true),
        ])
    func faulty(version: String, first: String, second: String, keeps: Bool) {
        #expect(ReceptionFeed.ended("HTTP/\(version) 200 OK", first, second, "").reception.keepsConnection == keeps)
    }
}
