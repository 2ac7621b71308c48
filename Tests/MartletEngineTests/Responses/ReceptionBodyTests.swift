import Foundation
import MartletHTTP
import TestSupport
import Testing

@testable import MartletCodings
@testable import MartletEngine

/// These tests count rounds and bytes and use no clock.
@Suite("Reception: bodies", .timeLimit(.minutes(5)))
struct ReceptionBodyTests {
    /// The work that may exceed an allowance: the last piece, as received and as decoded.
    private let slack = 128 * 1024

    init() throws {
        // The decompressors are loaded at their first use.
        try #require(ContentCoding.available.contains(.gzip) && ContentCoding.available.contains(.deflate))
    }

    /// A reception that has received a head.
    private func feed(_ codings: String? = nil, isStreamed: Bool = false) -> ReceptionFeed {
        var feed = ReceptionFeed { $0.context.streamsBody = isStreamed }
        feed.lines("HTTP/1.1 200 OK")
        if let codings { feed.lines("Content-Encoding: \(codings)") }
        feed.lines("")
        return feed
    }

    // MARK: Backpressure

    @Test("Bytes for which the reader has no room are taken when it has made room", arguments: [nil, "gzip"])
    func backpressure(coding: String?) {
        var feed = feed(coding, isStreamed: true)
        let stream = ScriptedStream(room: 0), bytes = coding == nil ? CodedSamples.text : CodedSamples.gzip
        var pauses = 0
        while feed.bytes(bytes, into: stream).receipt == .paused(.untilRoom), pauses < 1000 {
            #expect(feed.reception.pause == .untilRoom)
            pauses += 1
            stream.space += coding == nil ? 600 : 7
            let resumes = feed.reception.readerMadeRoom()
            #expect(resumes)
            #expect(feed.reception.pause == nil)
        }
        #expect(stream.bytes == CodedSamples.text)
        #expect(coding == nil ? pauses == 2 : pauses > 100)
        #expect(feed.error() == nil)
    }

    @Test("The caller learns whether the reader waits for the bytes")
    func awaited() {
        for coding in [nil, "gzip"] {
            var feed = feed(coding, isStreamed: true)
            let stream = ScriptedStream(room: 10_000)
            stream.isAwaited = true
            let received = feed.bytes(coding == nil ? CodedSamples.text : CodedSamples.gzip, into: stream)
            #expect(received.receipt == .taken)
            #expect(received.isAwaited)
        }
    }

    @Test("A transfer that has used up its share waits for its turn, even if its reader makes room")
    func turn() {
        var feed = feed(isStreamed: true)
        let stream = ScriptedStream(room: .max), piece = Data(count: 64 * 1024)
        while feed.bytes(piece, into: stream).receipt == .taken {}
        #expect(stream.bytes.count >= RoundBudget.perTransfer - slack)
        #expect(feed.reception.pause == .untilTurn)
        let resumes = feed.reception.readerMadeRoom()
        #expect(!resumes)
        #expect(feed.reception.pause == .untilTurn)
        feed.work.begin()
        feed.reception.beginTurn()
        #expect(feed.reception.pause == nil)
        #expect(feed.bytes(piece, into: stream).receipt == .taken)
    }

    @Test("A transfer that starts again has no pause")
    func restart() {
        var feed = ReceptionFeed { $0.context.streamsBody = true }
        feed.reception.pause = .untilRoom
        feed.reception.begin(decodes: true, into: BodyBuffer())
        #expect(feed.reception.pause == nil)
    }

    // MARK: Codings

    @Test("Corrupt coded data stops the transfer")
    func corrupt() {
        var feed = feed("gzip")
        #expect(feed.bytes(Data("this is not gzip".utf8)) == .stopped)
        guard case .invalidResponse(let what)? = feed.error() else {
            Issue.record("the data was accepted")
            return
        }
        #expect(what.text == ContentDecoder.Fault.broken(.gzip).description)
    }

    @Test("A body that expands is decoded one share at a time and arrives complete")
    func bomb() {
        var feed = feed("gzip, gzip")
        var rounds = 1
        while feed.bytes(CodedSamples.bomb) == .paused(.untilTurn), rounds < 1000 {
            #expect(feed.work.left >= RoundBudget.perRound - RoundBudget.perTransfer - slack)
            feed.work.begin()
            feed.reception.beginTurn()
            rounds += 1
        }
        #expect(feed.reception.body.count == CodedSamples.bombSize)
        #expect(rounds >= CodedSamples.bombSize / (RoundBudget.perTransfer + slack))
        #expect(rounds <= CodedSamples.bombSize / RoundBudget.perTransfer * 2)
    }

    @Test("A bomb between two codings fails after a few rounds")
    func silentBomb() {
        var feed = feed("deflate, deflate")
        let bytes = Data((0..<1000).map { _ in CodedSamples.wasteful[0] }.joined())
        var rounds = 1
        while feed.bytes(bytes) == .paused(.untilTurn), rounds < 1000 {
            feed.work.begin()
            rounds += 1
        }
        guard case .invalidResponse(let what)? = feed.error() else {
            Issue.record("the bomb was accepted")
            return
        }
        #expect(what.text == ContentDecoder.Fault.wasteful(.deflate).description)
        #expect(rounds <= 2 * ContentDecoder.intermediateBytes / RoundBudget.perTransfer)
    }

    @Test("A body in pieces of one byte is received one share at a time")
    func pieces() {
        var feed = feed()
        let byte = Data([7]), count = RoundBudget.perTransfer / RoundBudget.perCall
        for taken in 0..<count { #expect(feed.bytes(byte) == .taken, "\(taken)") }
        #expect(feed.bytes(byte) == .paused(.untilTurn))
        #expect(feed.reception.body.count == count)
        feed.work.begin()
        #expect(feed.bytes(byte) == .taken)
    }
}
