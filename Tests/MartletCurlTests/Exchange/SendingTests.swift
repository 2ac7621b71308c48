import CMartletCurl
import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl
@testable import MartletEngine

@Suite("Sending", .timeLimit(.minutes(5)))
struct SendingTests {
    private let bytes = Data("abcdef".utf8)

    /// The sending of a request with a body in memory, or with another source.
    private func sending(_ method: HTTPMethod, source: UploadSource? = nil, _ change: (inout HTTPRequest) -> Void = { _ in }) -> Sending {
        var request = HTTPRequest(method: method, url: URL(string: "http://127.0.0.1/")!)
        change(&request)
        return Sending(request, Upload(source: source ?? .data(bytes), length: nil))
    }

    /// Reads up to four bytes of the body; nil if none are available yet.
    private func read(_ sending: inout Sending) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 4)
        guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ sending.read(into: $0) }) else { return nil }
        return Data(buffer.prefix(count))
    }

    private var retired: RetiredConnections {
        var retired = RetiredConnections()
        retired.retire(1, lastStream: 9)
        return retired
    }

    // MARK: The body

    @Test("The body is read from its first byte to its end, and after a rewind again")
    func read() {
        var sending = sending(.put)
        #expect(!sending.hasBegun)
        let parts = [read(&sending), read(&sending), read(&sending)]
        #expect(parts == [Data("abcd".utf8), Data("ef".utf8), Data()])
        #expect(sending.hasBegun)
        #expect(sending.rewind() == nil)
        let again = read(&sending)
        #expect(again == Data("abcd".utf8))
        sending.close()
        let closed = read(&sending)
        #expect(closed == Data())
    }

    @Test("A source without bytes pauses the sending until it is resumed")
    func paused() {
        var sending = sending(.put, source: .stream(StreamPump()))
        let none = read(&sending)
        #expect(none == nil)
        #expect(sending.isPaused)
        sending.resume()
        #expect(!sending.isPaused)
    }

    @Test("A body is withheld until libcurl reads it, if the request waits for permission")
    func withheld() {
        var asking = sending(.put) { $0.context.expectContinue = .seconds(1) }
        #expect(asking.isWithheld)
        _ = read(&asking)
        #expect(!asking.isWithheld)
        #expect(!sending(.put).isWithheld)
        #expect(sending(.put) { $0.headers[.expect] = "100-continue" }.isWithheld)
        #expect(!Sending(HTTPRequest(url: URL(string: "http://127.0.0.1/")!), nil).isWithheld)
    }

    // MARK: Another attempt

    @Test("An idempotent request may be sent again, and any other only if the server provably did not process it (RFC 9113 §6.8)")
    func attempts() {
        var put = sending(.put), post = sending(.post)
        #expect(!post.wasAttempted)
        #expect(put.beginAttempt(isReused: true) == nil)
        #expect(post.beginAttempt(isReused: true) == nil)
        #expect(post.wasAttempted)
        #expect(put.beginAttempt(isReused: true) == nil)
        #expect(post.beginAttempt(isReused: true) == .networkError(NetworkFailure(.connectionLost, "")))
        var ignored = sending(.post)
        _ = ignored.beginAttempt(isReused: true)
        ignored.delivery.uses(stream: 11, on: 1)
        ignored.delivery.died(retired)
        #expect(ignored.beginAttempt(isReused: true) == nil)
    }

    @Test("A request with an idempotency key is idempotent")
    func key() {
        var post = sending(.post) { $0.headers["Idempotency-Key"] = "1" }
        for _ in 0..<2 { #expect(post.beginAttempt(isReused: true) == nil) }
    }

    @Test("The error names the retired connection, and the idempotency key as the remedy")
    func words() {
        var post = sending(.post)
        #expect(post.objection?.description.contains("Idempotency-Key") == true)
        #expect(post.objection?.description.contains("the connection ended, or its stream was refused") == true)
        post.delivery.uses(stream: 9, on: 1)
        post.delivery.died(retired)
        #expect(post.objection?.description.contains("the server retired the connection") == true)
    }

    @Test("libcurl may rewind a body of which it read nothing, whatever the request")
    func rewindUnread() {
        var post = sending(.post), stream = sending(.put, source: .stream(StreamPump()))
        #expect(post.rewind() == nil)
        #expect(stream.rewind() == nil)
        _ = read(&post)
        _ = read(&stream)
        #expect(post.rewind() != nil)
        let why = stream.rewind()
        #expect(why?.description.contains("because it is a stream") == true)
    }

    @Test("libcurl has given up a transfer after several dead connections, or on a connection that the server has retired")
    func givenUp() {
        var put = sending(.put)
        for code in [CURLE_SEND_ERROR.code, CURLE_RECV_ERROR.code] {
            let texts = ["Connection died, tried 5 times before giving up", "Recv failure"].map {
                put.isGivenUp(code, $0, isReused: true, retired)
            }
            #expect(texts == [true, false])
        }
        let others = [CURLE_HTTP2.code, CURLE_COULDNT_CONNECT.code].map {
            put.isGivenUp($0, "Connection died, tried 5 times", isReused: true, retired)
        }
        #expect(others == [false, false])
        put.delivery.uses(stream: 9, on: 1)
        let isGivenUp = put.isGivenUp(CURLE_HTTP2.code, "", isReused: true, retired)
        #expect(isGivenUp)
    }

    @Test("A transfer that libcurl has given up on new connections does not start again")
    func givenUpOnNewConnections() {
        var put = sending(.put)
        let isGivenUp = put.isGivenUp(CURLE_SEND_ERROR.code, "Connection died, tried 5 times before giving up", isReused: false, retired)
        #expect(!isGivenUp)
    }

    @Test("A second new connection that the server retires is the last one")
    func retiredTwice() {
        var put = sending(.put)
        for isAllowed in [true, false] {
            _ = put.beginAttempt(isReused: false)
            put.delivery.uses(stream: 9, on: 1)
            let isGivenUp = put.isGivenUp(CURLE_HTTP2.code, "", isReused: false, retired)
            #expect(isGivenUp == isAllowed)
        }
    }

    @Test("A request that a server refuses on new connections is sent twice, and its error invites a later retry")
    func refusedTwice() {
        var get = Sending(HTTPRequest(url: URL(string: "http://127.0.0.1/")!), nil)
        let errors = (0..<3).map { _ in get.beginAttempt(isReused: false) }
        #expect(errors == [nil, nil, .networkError(NetworkFailure(.connectionLost, ""))])
        #expect(!get.needsNewConnection)
    }

    @Test("After two attempts on connections of other requests, a request starts again on a new one, and is sent once more")
    func onNewConnection() {
        var put = sending(.put)
        for _ in 0..<2 {
            #expect(put.beginAttempt(isReused: true) == nil)
            #expect(!put.needsNewConnection)
        }
        #expect(put.beginAttempt(isReused: true) == nil)
        #expect(put.needsNewConnection)
        let isGivenUp = put.isGivenUp(CURLE_ABORTED_BY_CALLBACK.code, "", isReused: true, retired)
        #expect(isGivenUp)
        #expect(put.restart() == nil)
        put.begin()
        #expect(put.beginAttempt(isReused: false) == nil)
        #expect(!put.needsNewConnection)
        #expect(put.beginAttempt(isReused: false) == .networkError(NetworkFailure(.connectionLost, "")))
    }

    @Test("A POST starts again only if the server provably did not process its last attempt")
    func postOnNewConnection() {
        for isIgnored in [true, false] {
            var post = sending(.post)
            for stream in [11, isIgnored ? 13 : 9] as [Int64] {
                #expect(post.beginAttempt(isReused: true) == nil)
                post.delivery.uses(stream: stream, on: 1)
                post.delivery.died(retired)
            }
            #expect((post.beginAttempt(isReused: true) == nil) == isIgnored)
            #expect(post.needsNewConnection == isIgnored)
            #expect((post.restart() == nil) == isIgnored)
        }
    }

    @Test("A request whose connection was refused starts again whatever its method and its body, because nothing was sent")
    func refusedConnection() {
        for source in [UploadSource.data(bytes), .stream(StreamPump())] {
            var post = sending(.post, source: source)
            let unrefused = post.isGivenUp(CURLE_ABORTED_BY_CALLBACK.code, "", isReused: true, retired)
            #expect(!unrefused)
            post.refuseConnection()
            let isGivenUp = post.isGivenUp(CURLE_ABORTED_BY_CALLBACK.code, "", isReused: true, retired)
            #expect(isGivenUp)
            #expect(post.restart() == nil && post.isRestarted)
            post.begin()
            #expect(!post.needsNewConnection)
        }
        var second = sending(.post)
        _ = second.beginAttempt(isReused: true)
        second.refuseConnection()
        #expect(second.restart() == .networkError(NetworkFailure(.connectionLost, "")))
    }

    @Test("A transfer starts again once, with the whole body and without the proof of the last start")
    func restarts() {
        var put = sending(.put)
        for mayStart in [true, false] {
            _ = put.beginAttempt(isReused: true)
            let first = read(&put)
            #expect(first == Data("abcd".utf8))
            let isGivenUp = put.isGivenUp(CURLE_SEND_ERROR.code, "Connection died, tried 5 times before giving up", isReused: true, retired)
            #expect(isGivenUp == mayStart)
            guard mayStart else { continue }
            #expect(put.restart() == nil)
            #expect(put.isRestarted)
            put.begin()
            #expect(!put.wasAttempted)
        }
    }

    @Test("A POST without a proof, and a body that is a stream, do not start again")
    func noRestart() {
        var post = sending(.post), stream = sending(.put, source: .stream(StreamPump()))
        #expect(post.restart() != nil)
        #expect(stream.restart() != nil)
        #expect(!post.isRestarted && !stream.isRestarted)
        var get = Sending(HTTPRequest(url: URL(string: "http://127.0.0.1/")!), nil)
        #expect(get.restart() == nil)
    }
}
