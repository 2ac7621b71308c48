/// The limit on the bytes of proxies' refusals of tunnels that the engine reads in one round.
///
/// libcurl reads such a body byte by byte until none is left. Without the limit, a proxy that sends fast enough would block the engine.
struct TunnelRefusalBudget: Hashable {
    /// The maximum for all transfers together in one round: 64 KiB, about 50 ms of work.
    static let bytesPerRound = 64 * 1024

    private var count = 0

    /// Takes one byte from the round's budget. Returns false if it is used up.
    mutating func take() -> Bool {
        count += 1
        return count <= TunnelRefusalBudget.bytesPerRound
    }
}
