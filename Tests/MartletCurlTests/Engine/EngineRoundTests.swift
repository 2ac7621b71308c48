import Foundation
import MartletCodings
import TestSupport
import Testing

@testable import MartletCurl
@testable import MartletEngine
@testable import MartletHTTP

/// These tests count rounds and bytes and use no clock.
@Suite("EngineRound", .timeLimit(.minutes(5)))
struct EngineRoundTests {
    private let round = EngineRound()
    /// The work that may exceed an allowance: the last piece, as received and as decoded.
    private let slack = 128 * 1024

    /// A transfer that has received the head of a bomb.
    private func transfer() throws -> CurlTransfer {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let transfer = CurlTransfer(
            OutgoingRequest(HTTPRequest(url: url), url: "http://127.0.0.1/", route: Route()), lookups: [], handle: nil, upload: nil,
            maxContentCodings: 2)
        var head = ResponseHead()
        head.reset(limit: 1000)
        for line in ["HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip, gzip\r\n", "\r\n"] {
            let progress = Array(line.utf8).withUnsafeBufferPointer { head.add($0) }
            _ = transfer.reception.receive(progress, of: &head)
        }
        return transfer
    }

    /// Offers a bomb like libcurl, which offers refused bytes again. Returns whether the transfer waits for its turn.
    @discardableResult
    private func offerBomb(to transfer: CurlTransfer) -> Bool {
        let received = CodedSamples.bomb.withUnsafeBytes { transfer.receive($0, in: round) }
        guard received.receipt == .paused(.untilTurn) else { return false }
        round.turns.append(transfer)
        return true
    }

    @Test("Transfers share a round; transfers that found its work used up come first in the next")
    func turns() throws {
        // The decompressors are loaded at their first use.
        try #require(ContentCoding.available.contains(.gzip))
        let transfers = try (0..<7).map { _ in try transfer() }
        for transfer in transfers { #expect(offerBomb(to: transfer)) }
        #expect(round.work.left > -slack)
        let areEmpty = transfers.map { $0.reception.body.isEmpty }
        #expect(areEmpty == [false, false, false, false, true, true, true])
        var order: [Int] = []
        for _ in 0..<3 {
            round.begin()
            round.takeTurns { next in
                order.append(transfers.firstIndex { $0 === next } ?? -1)
                offerBomb(to: next)
            }
            #expect(round.work.left > -slack)
        }
        #expect(order == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4])
        #expect(round.hasYielding)
    }
}

@Suite("TunnelRefusalBudget", .timeLimit(.minutes(5)))
struct TunnelRefusalBudgetTests {
    @Test("A round's budget ends after 64 KiB")
    func bytes() {
        var budget = TunnelRefusalBudget()
        let taken = (0..<TunnelRefusalBudget.bytesPerRound + 2).count { _ in budget.take() }
        #expect(taken == TunnelRefusalBudget.bytesPerRound)
    }

    @Test("Each round has a new budget for all transfers together")
    func rounds() {
        let round = EngineRound()
        while round.refusals.take() {}
        round.begin()
        let isTaken = round.refusals.take()
        #expect(isTaken)
    }
}
