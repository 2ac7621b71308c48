/// The limit on the decoding and the receptions in one round of the engine, in total and for each transfer.
///
/// A connection passes on what it has received, up to 256 KiB, before the engine does anything else. The server decides how far those bytes
/// expand and how many pieces they form. A transfer that has used up its share is paused and continues in a later round. Commands,
/// deadlines and other transfers are processed in between.
package struct RoundBudget {
    /// The work of a transfer in its most recent round.
    package struct Share {
        fileprivate var round = 0
        fileprivate var used = 0
    }

    /// The work of all transfers in one round: about 10 ms of decompression.
    package static let perRound = 4 << 20
    /// The work of one transfer in one round.
    package static let perTransfer = 1 << 20
    /// The cost of one reception, in addition to its bytes: a chunk of one byte costs as much as hundreds of bytes.
    package static let perCall = 512

    package private(set) var left = RoundBudget.perRound
    private var round = 1

    package init() {}

    /// Starts the next round.
    package mutating func begin() {
        round += 1
        left = RoundBudget.perRound
    }

    /// Returns the work that a transfer may still do in this round.
    package func allowance(of share: Share) -> Int { min(left, RoundBudget.perTransfer - (share.round == round ? share.used : 0)) }

    /// Records work that was done. It may exceed the allowance slightly.
    package mutating func spend(_ work: Int, of share: inout Share) {
        if share.round != round { share = Share(round: round, used: 0) }
        share.used += work
        left -= work
    }
}

/// The transfers that have used up their share of a round, in the order in which they continue.
package final class TurnQueue<Transfer> {
    private var waiting: [Transfer] = []

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }

    /// Queues a transfer for a later round.
    package func append(_ transfer: Transfer) { waiting.append(transfer) }

    /// Continues the transfers that were queued before, in order, while `goesOn` returns true. The others come first in the next round.
    package func take(while goesOn: () -> Bool, _ resume: (Transfer) -> Void) {
        guard !isEmpty else { return }
        let turns = waiting
        waiting = []
        var next = turns.startIndex
        while next < turns.endIndex, goesOn() {
            resume(turns[next])
            next += 1
        }
        waiting.insert(contentsOf: turns[next...], at: 0)
    }
}
