internal import MartletEngine

/// The memory and the limits of one round of an engine, and the exchanges that continue in the next one. Only the engine's thread uses it.
final class WireRound {
    /// The maximum number of bytes that are read from one connection before others have their turn.
    static let perTurn = 256 * 1024

    /// The minimum size of the memory for one read.
    static let leastRead = 4096

    /// The buffer for one read.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: WireEngine.readLength, alignment: 16)
    /// The buffer in which a body's bytes are decoded before they are stored.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    var work = RoundBudget()
    /// Exchanges that used up their share of a round.
    let turns = TurnQueue<WireExchange>()

    /// Returns the memory for a read from a connection whose stream has room for so many bytes; nil if it has none.
    ///
    /// - Parameter room: The room; nil if the body is not streamed, or has not begun.
    func buffer(forRoom room: Int?) -> UnsafeMutableRawBufferPointer? {
        guard let room else { return buffer }
        // More content than there is room for would be held back, and copied twice. Framing needs no room: with a room of one byte, a long
        // extension of a chunk would be read byte by byte.
        return room > 0 ? UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(room, WireRound.leastRead))) : nil
    }

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
