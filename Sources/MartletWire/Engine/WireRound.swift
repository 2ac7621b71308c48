internal import MartletEngine

/// The memory and the limits of one round of an engine, and the exchanges that continue in the next one. Only the engine's thread uses it.
final class WireRound {
    /// The maximum number of bytes that are read from one connection before others have their turn.
    static let perTurn = 256 * 1024

    /// The buffer for one read.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: WireEngine.readLength, alignment: 16)
    /// The buffer in which a body's bytes are decoded before they are stored.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    var work = RoundBudget()
    /// Exchanges that used up their share of a round.
    let turns = TurnQueue<WireExchange>()

    deinit {
        buffer.deallocate()
        scratch.deallocate()
    }

    /// Starts the next round, and continues queued exchanges in order, as far as its work allows.
    func begin(_ resume: (WireExchange) -> Void) {
        work.begin()
        turns.take(while: { work.left > 0 }, resume)
    }
}
