import Foundation
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct RangeDecisionTests {
    /// A partial download with 40 of 100 bytes.
    private func partial(total: Int64? = 100, tag: String? = "\"v\"") -> PartialDownload {
        var partial = PartialDownload(key: "k")
        partial.begin(with: response(200, tag.map { [.eTag: $0] } ?? [:]), length: total)
        partial.add(40)
        return partial
    }

    private func response(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> HTTPResponse<Void> {
        HTTPResponse(status: status, headers: headers, body: ())
    }

    private func decide(_ status: HTTPStatus, _ headers: HTTPFields = [:], _ partial: PartialDownload? = nil) -> RangeDecision {
        RangeDecision.decide(partial ?? self.partial(), response(status, headers))
    }

    @Test("A matching part is appended to the stored bytes (RFC 9110 §15.3.7)")
    func rest() {
        #expect(decide(206, [.contentRange: "bytes 40-99/100", .eTag: "\"v\""]) == .proceed(through: 99, total: 100))
        #expect(decide(206, [.contentRange: "bytes 40-59/100"]) == .proceed(through: 59, total: 100))
        #expect(decide(206, [.contentRange: "bytes 40-99/*"]) == .proceed(through: 99, total: nil))
    }

    @Test("A part of another version, offset, source or length starts the download over")
    func mismatch() {
        for range in ["bytes 0-99/100", "bytes 41-99/100", "bytes 40-99/101", "bytes */100", "items 40-99/100"] {
            #expect(decide(206, [.contentRange: range, .eTag: "\"v\""]) == .startOver, "\(range)")
        }
        #expect(decide(206, [.contentRange: "bytes 40-99/100", .eTag: "\"w\""]) == .startOver)
        #expect(decide(206) == .startOver)
        var coded = response(206, [.contentRange: "bytes 40-99/100"])
        coded.metadata.wasContentCoded = true
        #expect(RangeDecision.decide(partial(), coded) == .startOver)
        #expect(decide(206, [.contentRange: "bytes 40-99/100", .contentEncoding: "gzip"]) == .startOver)
        #expect(decide(200, [.contentEncoding: "gzip"]) == .startOver && decide(200, [.contentEncoding: "identity"]) == .begin)
    }

    @Test("Every other response is the whole, and an unrequested 206 is refused")
    func whole() {
        #expect(decide(200) == .begin && decide(203) == .begin)
        #expect(decide(206, [.contentRange: "bytes 0-99/100"], PartialDownload(key: "k")) == .refuse("a 206 for a request without a range"))
    }

    @Test("A 416 at the end of the bytes completes the download, and any other starts it over (RFC 9110 §15.5.17)")
    func unsatisfiable() {
        #expect(decide(416, [.contentRange: "bytes */40"], partial(total: nil)) == .complete)
        #expect(decide(416, [.contentRange: "bytes */40"], partial(total: 40)) == .complete)
        #expect(decide(416, [.contentRange: "bytes */40"]) == .startOver)
        #expect(decide(416, [.contentRange: "bytes */39"], partial(total: nil)) == .startOver)
        #expect(decide(416) == .startOver)
    }

    @Test("The rest is requested with a range and a strong validator, and otherwise the whole is (RFC 9110 §13.1.5)")
    func fields() {
        #expect(partial().rangeFields?.range == "bytes=40-" && partial().rangeFields?.ifRange == "\"v\"")
        #expect(partial(tag: nil).rangeFields == nil && partial(tag: "W/\"v\"").rangeFields == nil)
        #expect(PartialDownload(key: "k").rangeFields == nil)
        var coded = response(200, [.eTag: "\"v\""])
        coded.metadata.wasContentCoded = true
        var partial = PartialDownload(key: "k")
        partial.begin(with: coded, length: nil)
        partial.add(40)
        #expect(partial.rangeFields == nil)
    }

    @Test("The end of a whole completes it, a part of unknown total may be followed by more, and a short body is incomplete")
    func ends() {
        var whole = partial(total: nil)
        let hasEnded = whole.end()
        #expect(hasEnded && whole.isComplete)
        var part = partial(total: nil)
        part.proceed(through: 59, total: nil)
        #expect(part.hasRoom(for: 20))
        #expect(!part.hasRoom(for: 21))
        part.add(19)
        let isShort = !part.end()
        part.add(1)
        let isWhole = part.end()
        #expect(isShort && isWhole && !part.isComplete)
    }

    @Test("A stored record is restored only for the same request")
    func kept() throws {
        let kept = try #require(partial().kept)
        let back = PartialDownload(kept: kept, key: "k", bytes: 40)
        #expect(back?.offset == 40 && back?.total == 100 && back?.rangeFields?.ifRange == "\"v\"")
        #expect(PartialDownload(kept: kept, key: "other", bytes: 40) == nil)
        #expect(PartialDownload(kept: kept, key: "k", bytes: 101) == nil && PartialDownload(kept: kept, key: "k", bytes: 0) == nil)
        #expect(PartialDownload(kept: Data("{}".utf8), key: "k", bytes: 40) == nil)
        #expect(partial(tag: nil).kept == nil)
        let url = try #require(URL(string: "https://a.example/x?token=s3cret"))
        let key = PartialDownload.key(of: HTTPRequest(method: .get, url: url))
        #expect(key.count == 64 && !key.contains("s3cret"))
    }

    @Test("A validator belongs to one URL: another URL starts over, unless only its query differs")
    func sources() throws {
        func answer(_ status: HTTPStatus, _ url: String, _ headers: HTTPFields) throws -> HTTPResponse<Void> {
            var answer = response(status, headers)
            answer.metadata.request = HTTPRequest(method: .get, url: try #require(URL(string: url)))
            return answer
        }
        var partial = PartialDownload(key: "k")
        partial.begin(with: try answer(200, "https://a.example/v1?sig=1", [.eTag: "\"v\""]), length: 100)
        partial.add(40)
        let rest: HTTPFields = [.contentRange: "bytes 40-99/100", .eTag: "\"v\""]
        #expect(try RangeDecision.decide(partial, answer(206, "https://a.example/v1?sig=2", rest)) == .proceed(through: 99, total: 100))
        #expect(try RangeDecision.decide(partial, answer(206, "https://a.example/v2?sig=1", rest)) == .startOver)
        #expect(try RangeDecision.decide(partial, answer(206, "https://b.example/v1", rest)) == .startOver)
        let kept = try #require(partial.kept)
        let back = try #require(PartialDownload(kept: kept, key: "k", bytes: 40))
        #expect(try RangeDecision.decide(back, answer(206, "https://a.example/v2", rest)) == .startOver)
    }

    @Test("The key distinguishes requests by URL, accepted types and the fields that may identify the user")
    func keys() throws {
        let url = try #require(URL(string: "https://a.example/r"))
        func key(_ headers: HTTPFields) -> String { PartialDownload.key(of: HTTPRequest(method: .get, url: url, headers: headers)) }
        #expect(
            key([.accept: "text/csv"]) != key([.accept: "application/json"]) && key([.authorization: "a"]) != key([.authorization: "b"]))
        #expect(key(["X-Request-ID": "1"]) == key(["X-Request-ID": "2"]))
        #expect(key(["X-Query-Key": "a"]) != key(["X-Query-Key": "b"]) && key(["X-Remote-User": "a"]) != key([:]))
    }

    @Test("The promised digest of the whole is kept until another is promised, also for a later call (RFC 9530 §3)")
    func promises() throws {
        var partial = PartialDownload(key: "k")
        partial.begin(with: response(200, [.eTag: "\"v\"", "Repr-Digest": "sha-256=:AA==:"]), length: 100)
        partial.add(40)
        partial.promise(in: response(206))
        #expect(partial.promisedDigest == "sha-256=:AA==:")
        let kept = try #require(partial.kept)
        #expect(PartialDownload(kept: kept, key: "k", bytes: 40)?.promisedDigest == "sha-256=:AA==:")
        partial.promise(in: response(206, ["Repr-Digest": "sha-256=:BB==:"]))
        #expect(partial.promisedDigest == "sha-256=:BB==:")
    }

    @Test("A whole that is longer or shorter than its length is incomplete")
    func lengths() {
        var partial = partial()
        #expect(partial.hasRoom(for: 60) && !partial.hasRoom(for: 61))
        let hasEnded = partial.end()
        #expect(!hasEnded && !partial.isComplete)
    }
}
