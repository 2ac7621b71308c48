import Foundation
import MartletCodings
import MartletHTTP
import TestSupport
import Testing

@testable import MartletEngine

@Suite("Reception", .timeLimit(.minutes(5)))
struct ReceptionTests {
    private typealias Feed = ReceptionFeed

    private let broken = HTTPError.networkError(NetworkFailure(.other, "libcurl's error"))

    // MARK: Heads

    @Test("A head and a body are a complete response")
    func complete() {
        var feed = Feed()
        #expect(feed.lines("HTTP/1.1 200 OK", "A: 1", "Content-Length: 4", "Keep-Alive: timeout=7") == .proceed)
        #expect(!feed.reception.isHeadComplete)
        #expect(feed.lines("") == .proceed)
        #expect(feed.reception.isHeadComplete)
        for part in ["bo", "dy"] { #expect(feed.bytes(Data(part.utf8)) == .taken) }
        #expect(feed.error() == nil)
        #expect(feed.reception.status == .ok)
        #expect(feed.reception.version == .http11)
        #expect(feed.reception.headers["A"] == "1")
        #expect(feed.reception.keepAliveTimeout == .seconds(7))
        #expect(feed.reception.takeBody() == Data("body".utf8))
    }

    @Test("Interim responses begin the response and are dropped (RFC 9110 §15.2)")
    func interim() {
        var feed = Feed()
        #expect(!feed.reception.hasBegun)
        #expect(feed.lines("HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: x", "") == .proceed)
        #expect(feed.reception.hasBegun)
        #expect(!feed.reception.isHeadComplete)
        #expect(feed.lines("HTTP/1.1 201 Created", "A: 1", "") == .proceed)
        #expect(feed.reception.status == .created)
        #expect(feed.reception.headers.map(\.name) == ["A"])
        #expect(feed.error() == nil)
    }

    @Test("Folded lines are joined (RFC 9112 §5.2)")
    func folded() {
        #expect(Feed.ended("HTTP/1.1 200 OK", "A: one", "  two", "").reception.headers["A"] == "one two")
    }

    @Test("A malformed head stops the transfer, and its fault is the result")
    func malformed() {
        let heads: [([String], ResponseHead.Fault)] = [
            (["SSH-2.0-OpenSSH"], .statusLine), (["HTTP/1.1 200 OK", " A: 1"], .foldedStart),
            (["HTTP/1.1 200 OK", "Content-Length : 1"], .framing), (["HTTP/1.1 200 OK", "Transfer-Encoding:", " chunked"], .framing),
            (["HTTP/1.1 101 Switching Protocols", ""], .upgrade),
        ]
        for (lines, fault) in heads {
            for isStreamed in [false, true] {
                var feed = Feed { $0.context.streamsBody = isStreamed }
                for line in lines.dropLast() { #expect(feed.lines(line) == .proceed) }
                #expect(feed.lines(lines.last ?? "") == .stop)
                guard case .invalidResponse(let what)? = feed.error(after: .failure(broken)) else {
                    Issue.record("\(lines)")
                    continue
                }
                #expect(what.text == fault.rawValue)
            }
        }
    }

    @Test("Fields that contradict each other about the end of the body stop the transfer")
    func framing() {
        for fields in [["Content-Length: 1", "Content-Length: 2"], ["Content-Length: one"], ["Transfer-Encoding: gzip, chunked"]] {
            var feed = Feed()
            feed.lines("HTTP/1.1 200 OK")
            for field in fields { feed.lines(field) }
            #expect(feed.lines("") == .stop)
            guard case .invalidResponse? = feed.error() else {
                Issue.record("\(fields)")
                continue
            }
        }
    }

    @Test("The transfer coding of a response without a body is ignored")
    func codingWithoutBody() {
        var head = Feed { $0.method = .head }
        #expect(head.lines("HTTP/1.1 200 OK", "Transfer-Encoding: gzip", "") == .proceed)
        for status in [204, 304] {
            var feed = Feed()
            #expect(feed.lines("HTTP/1.1 \(status) No", "Transfer-Encoding: gzip", "") == .proceed)
            #expect(feed.error() == nil)
        }
    }

    @Test("Trailers are kept apart from the head, and a malformed trailer makes the response fail (RFC 9110 §6.5)")
    func trailers() {
        var feed = Feed()
        feed.lines("HTTP/1.1 200 OK", "A: 1", "Transfer-Encoding: chunked", "")
        feed.bytes(Data("ok".utf8))
        #expect(feed.lines("T: 2", "") == .proceed)
        #expect(feed.error() == nil)
        #expect(feed.reception.headers["T"] == nil)
        #expect(feed.head.takeFields().map(\.name) == ["T"])

        var other = Feed { $0.context.streamsBody = true }
        other.lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "")
        #expect(other.lines(" T: 2") == .stop)
        guard case .invalidResponse? = other.error() else {
            Issue.record("the trailer was accepted")
            return
        }
    }

    // MARK: Limits

    @Test("A head with too many bytes or fields stops the transfer")
    func headLimits() {
        var bytes = Feed { $0.context.limits.headBytes = 30 }
        #expect(bytes.lines("HTTP/1.1 200 OK", "A: 1234567890", "") == .stop)
        #expect(bytes.error() == .responseTooLarge(SizeLimitFailure(.head, limit: 30)))
        var fields = Feed { $0.context.limits.fieldCount = 1 }
        #expect(fields.lines("HTTP/1.1 200 OK", "A: 1", "B: 2") == .stop)
        #expect(fields.error() == .responseTooLarge(SizeLimitFailure(.fields, limit: 1)))
    }

    @Test("A collected body that is announced or arrives with too many bytes stops the transfer; one with as many as allowed does not")
    func bodyLimit() {
        let tooLarge = HTTPError.responseTooLarge(SizeLimitFailure(.body, limit: 4))
        let limit = { (request: inout HTTPRequest) in request.context.limits.bodyBytes = 4 }
        var announced = Feed(limit)
        #expect(announced.lines("HTTP/1.1 200 OK", "Content-Length: 5", "") == .stop)
        #expect(announced.error() == tooLarge)
        var arrived = Feed(limit)
        arrived.lines("HTTP/1.1 200 OK", "")
        #expect(arrived.bytes(Data("four".utf8)) == .taken)
        #expect(arrived.bytes(Data("5".utf8)) == .stopped)
        #expect(arrived.error(after: .failure(broken)) == tooLarge)
        #expect(arrived.reception.takeBody() == Data())
        var exact = Feed(limit)
        exact.lines("HTTP/1.1 200 OK", "Content-Length: 4", "")
        #expect(exact.bytes(Data("four".utf8)) == .taken)
        #expect(exact.error() == nil)
    }

    @Test("The announced length of a streamed body, or of one that does not follow, has no limit")
    func otherLengths() {
        var stream = Feed {
            $0.context.limits.bodyBytes = 4
            $0.context.streamsBody = true
        }
        #expect(stream.lines("HTTP/1.1 200 OK", "Content-Length: 5", "") == .respond(hasBody: true, length: 5))
        var head = Feed {
            $0.context.limits.bodyBytes = 4
            $0.method = .head
        }
        #expect(head.lines("HTTP/1.1 200 OK", "Content-Length: 5", "") == .proceed)
        var unchanged = Feed { $0.context.limits.bodyBytes = 4 }
        #expect(unchanged.lines("HTTP/1.1 304 Not Modified", "Content-Length: 5", "") == .proceed)
    }

    @Test("A response with too many content codings stops the transfer")
    func codings() {
        var feed = Feed()
        #expect(feed.lines("HTTP/1.1 200 OK", "Content-Encoding: gzip, gzip, gzip", "") == .stop)
        guard case .invalidResponse(let what)? = feed.error() else {
            Issue.record("the codings were accepted")
            return
        }
        #expect(what.text.contains("3 content codings; the transport accepts at most 2"))
    }

    // MARK: Streams and bodies that are not wanted

    @Test("A streamed response is returned with its head")
    func streamed() {
        var feed = Feed { $0.context.streamsBody = true }
        #expect(feed.lines("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") == .proceed)
        #expect(feed.lines("") == .respond(hasBody: true, length: nil))
        for status in [204, 304] {
            var feed = Feed { $0.context.streamsBody = true }
            #expect(feed.lines("HTTP/1.1 \(status) No", "") == .respond(hasBody: false, length: nil))
        }
        var head = Feed {
            $0.context.streamsBody = true
            $0.method = .head
        }
        #expect(head.lines("HTTP/1.1 200 OK", "Content-Length: 5", "") == .respond(hasBody: false, length: 5))
    }

    @Test("The fields of a coded body go when the codings do, and stay when the body stays coded")
    func codedFields() {
        for decodes in [true, false] {
            var feed = Feed(decodes: decodes) { $0.context.streamsBody = true }
            let action = feed.lines("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 70", "")
            #expect(action == .respond(hasBody: true, length: decodes ? nil : 70))
            #expect(feed.reception.wasCoded == decodes)
            #expect(feed.reception.headers.contains(.contentEncoding) != decodes)
            #expect(feed.reception.headers.contains(.contentLength) != decodes)
        }
    }

    @Test("The body of a redirect that is followed is cut off at its limit, and the response is complete")
    func redirect() {
        func follow(_ request: inout HTTPRequest) {
            request.context.followsRedirects = true
            request.context.limits.redirectBodyBytes = 4
            request.context.limits.bodyBytes = 8
        }
        var feed = Feed(follow)
        #expect(feed.lines("HTTP/1.1 302 Found", "Location: /", "Content-Length: 1000", "") == .proceed)
        #expect(feed.bytes(Data("four".utf8)) == .taken)
        #expect(feed.bytes(Data("5".utf8)) == .stopped)
        #expect(feed.error(after: .failure(broken)) == nil)
        #expect(feed.reception.takeBody() == Data("four".utf8))
        var other = Feed(follow)
        #expect(other.lines("HTTP/1.1 302 Found", "Content-Length: 1000", "") == .stop)
        #expect(other.error() == .responseTooLarge(SizeLimitFailure(.body, limit: 8)))
    }

    @Test("A 417 ends a request that waits for permission, because libcurl would send it again (RFC 9110 §15.5.18)")
    func expectationFailed() {
        for (isStreamed, action) in [(false, Reception.Action.stop), (true, .respondAndStop)] {
            var feed = Feed {
                $0.method = .put
                $0.body = HTTPBody("abc")
                $0.context.expectContinue = .seconds(1)
                $0.context.streamsBody = isStreamed
            }
            #expect(feed.lines("HTTP/1.1 417 No", "Content-Length: 2", "") == action)
            #expect(feed.error(after: .failure(broken)) == nil)
            #expect(feed.reception.status.rawValue == 417)
        }
        var other = Feed { $0.method = .put }
        #expect(other.lines("HTTP/1.1 417 No", "Content-Length: 2", "") == .proceed)
    }

    // MARK: The end

    @Test("A connection that ends before the head is complete is lost, even if libcurl reports success")
    func earlyEnd() {
        for lines in [[], ["HTTP/1.1 200 OK"], ["HTTP/1.1 100 Continue", ""]] {
            for isStreamed in [false, true] {
                var feed = Feed { $0.context.streamsBody = isStreamed }
                for line in lines { feed.lines(line) }
                let error = feed.error()
                #expect(error == .networkError(NetworkFailure(.connectionLost, "")))
                #expect(error?.stage == .exchange)
            }
        }
    }

    @Test("libcurl's error is the result if the reception has none")
    func libcurlsError() {
        for lines in [[], ["HTTP/1.1 200 OK"], ["HTTP/1.1 200 OK", "Content-Length: 4", ""]] {
            var feed = Feed()
            for line in lines { feed.lines(line) }
            #expect(feed.error(after: .failure(broken)) == broken)
        }
    }

    @Test("A coded body that ends early is incomplete, unless libcurl has an error")
    func incompleteCoding() {
        func feed() -> Feed {
            var feed = Feed()
            feed.lines("HTTP/1.1 200 OK", "Content-Encoding: gzip", "")
            feed.bytes(CodedSamples.gzip.dropLast())
            return feed
        }
        var short = feed()
        guard case .invalidResponse(let what)? = short.error() else {
            Issue.record("the body was complete")
            return
        }
        #expect(what.text == ContentDecoder.Fault.cutShort(.gzip).description)
        #expect(what.context.stage == .body)
        var lost = feed()
        #expect(lost.error(after: .failure(broken)) == broken)
    }

    @Test("The first error is the result")
    func precedence() {
        let first = HTTPError.networkError(NetworkFailure(.connectionLost, "first")), late = HTTPError.timeout(ErrorContext())
        for lines in [[], ["HTTP/1.1 200 OK"], ["HTTP/1.1 200 OK", "Content-Encoding: gzip", ""]] {
            var feed = Feed()
            for line in lines { feed.lines(line) }
            #expect(feed.reception.fail(first) == .stop)
            #expect(feed.reception.isOver)
            feed.reception.fail(late)
            #expect(feed.bytes(Data("late".utf8)) == .stopped)
            #expect(feed.error(after: .failure(broken)) == first)
        }
    }

    @Test("An error after the body was cut off is ignored")
    func lateError() {
        var feed = Feed {
            $0.context.followsRedirects = true
            $0.context.limits.redirectBodyBytes = 0
        }
        feed.lines("HTTP/1.1 302 Found", "Location: /", "")
        #expect(feed.bytes(Data("x".utf8)) == .stopped)
        feed.reception.fail(broken)
        #expect(feed.error() == nil)
    }

    @Test("A cancellation has the stage of the response: the exchange, or the body of a stream")
    func cancellation() {
        let cases: [(lines: [String], isStreamed: Bool, stage: ErrorContext.Stage)] = [
            ([], false, .exchange), (["HTTP/1.1 200 OK"], false, .exchange), (["HTTP/1.1 200 OK", ""], false, .exchange),
            ([], true, .exchange), (["HTTP/1.1 200 OK"], true, .exchange), (["HTTP/1.1 200 OK", ""], true, .body),
        ]
        for (lines, isStreamed, stage) in cases {
            var feed = Feed { $0.context.streamsBody = isStreamed }
            for line in lines { feed.lines(line) }
            feed.bytes(Data("x".utf8))
            let error = feed.error(after: .failure(feed.reception.cancellation))
            #expect(error == .cancelled)
            #expect(error?.stage == stage, "\(lines) \(isStreamed)")
            #expect(feed.reception.takeBody() == Data())
        }
    }

    @Test("A response has begun with its first line, but not with the lines of a tunnel: until then the transfer may start again")
    func begun() {
        var feed = Feed()
        #expect(feed.reception.receiveTunnel(.more) == .proceed)
        #expect(feed.reception.receiveTunnel(.complete) == .proceed)
        #expect(!feed.reception.hasBegun)
        feed.reception.begin(decodes: true, into: BodyBuffer())
        #expect(feed.lines("HTTP/1.1 200 OK", "Content-Length: 2", "") == .proceed)
        feed.bytes(Data("ok".utf8))
        #expect(feed.error() == nil)
        #expect(Feed.ended("HTTP/1.1 100 Continue").reception.hasBegun)
        var failed = Feed()
        failed.reception.fail(broken)
        #expect(failed.reception.hasBegun)
    }

    @Test("A malformed or large response of a proxy to CONNECT stops the transfer while it connects")
    func tunnel() {
        let cases: [(ResponseHead.Progress, HTTPError)] = [
            (.malformed(.statusLine), .networkError(NetworkFailure(.proxyFailed, ""))),
            (.tooLarge, .responseTooLarge(SizeLimitFailure(.head, limit: ResponseLimits().headBytes))),
            (.tooManyFields, .responseTooLarge(SizeLimitFailure(.fields, limit: ResponseLimits().fieldCount))),
        ]
        for (progress, expected) in cases {
            var feed = Feed()
            #expect(feed.reception.receiveTunnel(progress) == .stop)
            #expect(feed.error(after: .failure(broken)) == expected)
        }
    }
}
