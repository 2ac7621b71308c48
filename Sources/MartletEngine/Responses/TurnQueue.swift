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
