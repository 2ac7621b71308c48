import Testing

@testable import MartletCurl

@Suite("DeliveryProof", .timeLimit(.minutes(5)))
struct DeliveryProofTests {
    /// The connections of a server that has retired number 1 after stream 9.
    private var retired: RetiredConnections {
        var retired = RetiredConnections()
        retired.retire(1, lastStream: 9)
        return retired
    }

    private func proof(stream: Int64?, on connection: Int64?) -> DeliveryProof {
        var proof = DeliveryProof()
        if let stream { proof.uses(stream: stream, on: connection) } else { connection.map { proof.uses(connection: $0) } }
        proof.died(retired)
        return proof
    }

    @Test("A stream above the last one of a GOAWAY was not processed (RFC 9113 §6.8)")
    func above() {
        #expect(proof(stream: 11, on: 1).isUnprocessed)
        #expect(!proof(stream: 9, on: 1).isUnprocessed)
        #expect(!proof(stream: 1, on: 1).isUnprocessed)
    }

    @Test("Nothing is proven on another connection, without a connection, and without a stream")
    func unknown() {
        #expect(!proof(stream: 11, on: 2).isUnprocessed)
        #expect(!proof(stream: 11, on: nil).isUnprocessed)
        #expect(!proof(stream: nil, on: 1).isUnprocessed)
        #expect(!DeliveryProof().isUnprocessed)
    }

    @Test("The end of a retired connection is told apart from that of another")
    func wasRetired() {
        #expect(proof(stream: 1, on: 1).wasRetired)
        #expect(!proof(stream: 1, on: 2).wasRetired)
    }

    @Test("A proof holds for one attempt: the next one on HTTP/1.1, or without a GOAWAY, lacks it")
    func oneAttempt() {
        var proof = proof(stream: 11, on: 1)
        proof.uses(connection: 2)
        #expect(proof.isUnprocessed)
        proof.died(retired)
        #expect(!proof.isUnprocessed)
        proof.uses(stream: 13, on: 1)
        proof.died(retired)
        #expect(proof.isUnprocessed)
        proof.uses(stream: 1, on: 3)
        proof.died(retired)
        #expect(!proof.isUnprocessed)
        #expect(proof.deaths == 4)
    }

    @Test("A proof ends with the next attempt, also if libcurl does not report that this one died")
    func unreportedAttempt() {
        var proof = DeliveryProof()
        _ = proof.begins(isReused: false)
        proof.uses(stream: 11, on: 1)
        proof.died(retired)
        #expect(proof.isUnprocessed)
        _ = proof.begins(isReused: false)
        #expect(proof.isUnprocessed)
        proof.uses(stream: 1, on: 2)
        _ = proof.begins(isReused: false)
        #expect(!proof.isUnprocessed)
    }

    @Test("After an attempt has died, its connection is not that of the transfer any more")
    func noConnection() {
        var proof = DeliveryProof()
        proof.uses(stream: 11, on: 1)
        proof.died(retired)
        #expect(proof.connection == nil)
    }

    @Test("Only the first attempt begins without a question")
    func begins() {
        var proof = DeliveryProof()
        let first = proof.begins(isReused: false), second = proof.begins(isReused: false)
        #expect(first)
        #expect(!second)
    }

    /// A proof after attempts on kept-alive connections or new ones.
    private func after(_ isReused: Bool...) -> DeliveryProof {
        var proof = DeliveryProof()
        for isReused in isReused { _ = proof.begins(isReused: isReused) }
        return proof
    }

    @Test("A second attempt is allowed on any connection, and a third only on a new one after a kept-alive one")
    func next() {
        for isReused in [true, false] {
            for proof in [after(), after(true), after(false)] { #expect(proof.next(isReused: isReused, isRestarted: false) == .allowed) }
            for proof in [after(true, false), after(false, false), after(true, true, false)] {
                #expect(proof.next(isReused: isReused, isRestarted: false) == .futile)
            }
        }
        for proof in [after(true, true), after(false, true)] {
            #expect(proof.next(isReused: true, isRestarted: false) == .onNewConnection)
            #expect(proof.next(isReused: false, isRestarted: false) == .allowed)
        }
    }

    @Test("A transfer that has started again has one attempt")
    func nextAfterRestart() {
        for isReused in [true, false] {
            #expect(after().next(isReused: isReused, isRestarted: true) == .allowed)
            #expect(after(isReused).next(isReused: isReused, isRestarted: true) == .futile)
        }
    }

    @Test("A head beyond libcurl's limit is that of the last attempt alone")
    func largeHead() {
        var proof = after(false)
        proof.endsByLargeHead()
        #expect(proof.hasLargeHead)
        _ = proof.begins(isReused: true)
        #expect(!proof.hasLargeHead)
    }

    @Test("Of several GOAWAY frames the lowest number counts, and none can be taken back")
    func several() {
        var retired = RetiredConnections()
        retired.retire(1, lastStream: 2_147_483_647)
        #expect(!retired.hasIgnored(HTTP2Stream(connection: 1, id: 11)))
        retired.retire(1, lastStream: 9)
        retired.retire(1, lastStream: 99)
        #expect(retired.hasIgnored(HTTP2Stream(connection: 1, id: 11)))
    }

    @Test("The oldest connections are forgotten, and requests on them lack a proof")
    func capacity() {
        var retired = RetiredConnections(limit: 4)
        for number in 0..<6 as Range<Int64> { retired.retire(number, lastStream: 0) }
        let known = (0..<6 as Range<Int64>).map { retired.hasIgnored(HTTP2Stream(connection: $0, id: 1)) }
        #expect(known == [false, false, true, true, true, true])
    }
}
