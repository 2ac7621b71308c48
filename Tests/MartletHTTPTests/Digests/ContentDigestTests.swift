import Foundation
import MartletSystem
import Testing

@testable import MartletHTTP

@Suite("ContentDigest", .timeLimit(.minutes(5)))
struct ContentDigestTests {
    private func request(_ body: HTTPBody?) -> HTTPRequest {
        HTTPRequest(method: .post, url: URL(string: "https://api.example/")!, body: body)
    }

    @Test("Digests equal the examples of RFC 9530 (appendix D)")
    func examples() {
        let digest = ContentDigest(.sha256, of: Data("{\"hello\": \"world\"}\n".utf8))
        #expect(digest.fieldValue == "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:")
        #expect(ContentDigest(.sha256, of: Data()).hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(ContentDigest(.sha512, of: Data("abc".utf8)).bytes.count == 64)
    }

    @Test("A replayable body is digested in chunks and can still be sent", arguments: ContentDigest.Algorithm.allCases)
    func replayable(algorithm: ContentDigest.Algorithm) async throws {
        let chunks = ["a", "bc"].map { Data($0.utf8) }
        let body = HTTPBody(makeReader: { () throws(HTTPError) in ChunkReader(chunks) })
        let expected = ContentDigest(algorithm, of: Data("abc".utf8))
        #expect(try await request(body).bodyDigest(algorithm) == expected)
        #expect(try await request(HTTPBody("abc")).bodyDigest(algorithm) == expected)
        #expect(try await body.collect() == Data("abc".utf8))
        #expect(try await request(nil).bodyDigest(algorithm) == ContentDigest(algorithm, of: Data()))
    }

    @Test("A stream that can be read only once is refused and left unread")
    func once() async throws {
        let body = HTTPBody(reader: ChunkReader([Data("abc".utf8)]))
        await #expect(throws: HTTPError.bodyNotReplayable("")) { try await request(body).bodyDigest(.sha256) }
        #expect(try await body.collect() == Data("abc".utf8))
    }

    @Test("A digest is read from hexadecimal in either case; invalid text gives a digest without bytes")
    func hexadecimal() {
        let digits = String(repeating: "0aFf", count: 16)
        #expect(ContentDigest.sha256(digits).bytes.prefix(2) == Data([0x0A, 0xFF]))
        #expect(ContentDigest.sha512(digits + digits).bytes.count == 64)
        for text in [
            "", "0", String(digits.dropLast()), digits + "0", String(repeating: "0g", count: 32), String(repeating: "é0", count: 32),
        ] {
            #expect(ContentDigest.sha256(text).bytes.isEmpty, "\(text)")
        }
    }
}

private final class ChunkReader: HTTPBodyReader {
    private let chunks: Locked<[Data]>

    init(_ chunks: [Data]) { self.chunks = Locked(chunks) }

    func next() async throws(HTTPError) -> Data? { chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func cancel(_ reason: HTTPError) { chunks.withLock { $0 = [] } }
}

@Suite(.timeLimit(.minutes(5))) struct DigestFieldTests {
    @Test("Digests are read by name from several lines; members that are not byte sequences are ignored (RFC 9530 §2)")
    func reads() {
        let field = DigestField(["sha-256=:AAEC:;q=1, SHA-512=:BAU=:", "md5=abc, unixsum=:%%:, id, sha-256 = :CQ==:, sha=:AA"])
        #expect(field.digests.mapValues { [UInt8]($0) } == ["sha-256": [9], "sha-512": [4, 5]])
    }
}
