import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct DigestFieldTests {
    @Test("Digests are read by name from several lines; members that are not byte sequences are ignored (RFC 9530 §2)")
    func reads() {
        let field = DigestField(["sha-256=:AAEC:;q=1, SHA-512=:BAU=:", "md5=abc, unixsum=:%%:, id, sha-256 = :CQ==:, sha=:AA"])
        #expect(field.digests.mapValues { [UInt8]($0) } == ["sha-256": [9], "sha-512": [4, 5]])
    }
}
