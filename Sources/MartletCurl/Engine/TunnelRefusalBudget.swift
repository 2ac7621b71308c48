/// Limits the bytes of proxies' refusals of tunnels that the engine reads in one round.
///
/// A proxy that sends faster than libcurl reads would hold the engine otherwise: libcurl reads such a body byte by byte until none is left.
struct TunnelRefusalBudget: Hashable {
    /// The most that is read in one round, of all transfers together: 64 KiB, some 50 ms of work.
    static let bytesPerRound = 64 * 1024

    private var count = 0

    /// Takes one byte from the round's budget; false when it is used up.
    mutating func take() -> Bool {
        count += 1
        return count <= TunnelRefusalBudget.bytesPerRound
    }
}
