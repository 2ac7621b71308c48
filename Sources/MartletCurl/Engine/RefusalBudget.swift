/// Limits the bytes of a proxy's refusal of a tunnel that the engine reads in one round.
///
/// A proxy that sends faster than libcurl reads would hold the engine otherwise: libcurl reads such a body byte by byte until none is left.
struct RefusalBudget: Hashable {
    /// The most that is read in one round: 64 KiB, some 50 ms of work.
    static let bytesPerRound = 64 * 1024

    private var round = 0
    private var count = 0

    /// Takes one byte from the budget of the round; false when it is used up.
    mutating func take(in round: Int) -> Bool {
        if self.round != round { (self.round, count) = (round, 0) }
        count += 1
        return count <= RefusalBudget.bytesPerRound
    }
}
