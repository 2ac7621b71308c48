import Foundation
import MartletHTTP
import Testing

@testable import MartletCurl

/// These tests count rounds and bytes and use no clock.
@Suite("Transfer: receiving within rounds", .timeLimit(.minutes(5)))
struct TransferReceivingTests {
    private let round = EngineRound()
    /// The work that may exceed an allowance: the last piece, as received and as decoded.
    private let slack = 128 * 1024

    init() throws {
        // The decompressors are loaded at their first use.
        try #require(ContentCoding.available.contains(.gzip) && ContentCoding.available.contains(.deflate))
    }

    private func transfer(_ codings: [ContentCoding] = []) throws -> Transfer {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let transfer = Transfer(
            OutgoingRequest(HTTPRequest(url: url), url: "http://127.0.0.1/", route: Route()), lookups: [], handle: nil, upload: nil,
            configuration: .init())
        if !codings.isEmpty { transfer.decoder = ContentDecoder(codings) }
        return transfer
    }

    /// Offers bytes like libcurl, which offers refused bytes again.
    private func offer(_ bytes: Data, to transfer: Transfer) -> Received {
        let received = bytes.withUnsafeBytes { transfer.receive($0, in: round) }
        if received.isYielding { round.noteYield(transfer) }
        return received
    }

    @Test("A body that expands is decoded one share at a time and arrives complete")
    func bomb() throws {
        let transfer = try transfer([.gzip, .gzip])
        var rounds = 1
        while offer(CodedSamples.bomb, to: transfer).isRefused, transfer.failure == nil, rounds < 1000 {
            #expect(round.work.left >= RoundBudget.perRound - RoundBudget.perTransfer - slack)
            #expect(round.hasYielding)
            round.begin()
            round.takeTurns { _ in }
            rounds += 1
        }
        #expect(transfer.body.count == CodedSamples.bombSize)
        #expect(rounds >= CodedSamples.bombSize / (RoundBudget.perTransfer + slack))
        #expect(rounds <= CodedSamples.bombSize / RoundBudget.perTransfer * 2)
    }

    @Test("A bomb between two codings fails after a few rounds")
    func silentBomb() throws {
        let transfer = try transfer([.deflate, .deflate])
        let bytes = Data((0..<1000).map { _ in CodedSamples.wasteful[0] }.joined())
        var rounds = 1
        while offer(bytes, to: transfer).isYielding, rounds < 1000 {
            round.begin()
            rounds += 1
        }
        #expect(transfer.failure == .invalidResponse(Explanation(ContentDecoder.Fault.wasteful(.deflate).description)))
        #expect(rounds <= 2 * ContentDecoder.intermediateBytes / RoundBudget.perTransfer)
    }

    @Test("Transfers share a round; transfers that found its work used up come first in the next")
    func turns() throws {
        let transfers = try (0..<7).map { _ in try transfer([.gzip, .gzip]) }
        for transfer in transfers { #expect(offer(CodedSamples.bomb, to: transfer).isYielding) }
        #expect(round.work.left > -slack)
        let areEmpty = transfers.map { $0.body.isEmpty }
        #expect(areEmpty == [false, false, false, false, true, true, true])
        var order: [Int] = []
        for _ in 0..<3 {
            round.begin()
            round.takeTurns { next in
                order.append(transfers.firstIndex { $0 === next } ?? -1)
                _ = offer(CodedSamples.bomb, to: next)
            }
            #expect(round.work.left > -slack)
        }
        #expect(order == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4])
        let areYielding = transfers.map { $0.isYielding }
        #expect(areYielding == Array(repeating: true, count: 7))
    }

    @Test("A body in pieces of one byte is received one share at a time")
    func pieces() throws {
        let transfer = try transfer()
        let byte = Data([7])
        let count = RoundBudget.perTransfer / RoundBudget.perCall
        for taken in 0..<count { #expect(!offer(byte, to: transfer).isRefused, "\(taken)") }
        #expect(offer(byte, to: transfer).isYielding)
        #expect(transfer.body.count == count)
        round.begin()
        #expect(!offer(byte, to: transfer).isRefused)
    }
}
