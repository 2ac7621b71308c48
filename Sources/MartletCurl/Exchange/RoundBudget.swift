/// The limit on the decoding and the callbacks from libcurl in one round of the engine, in total and for each transfer.
///
/// libcurl passes on what a connection has received, up to 256 KiB, before it does anything else. The server decides how far those bytes
/// expand and how many pieces they form. A transfer that has used up its share is paused and continues in a later round. Commands,
/// deadlines and other transfers are processed in between.
struct RoundBudget {
    /// The work of a transfer in its most recent round.
    struct Share {
        fileprivate var round = 0
        fileprivate var used = 0
    }

    /// The work of all transfers in one round: about 10 ms of decompression.
    static let perRound = 4 << 20
    /// The work of one transfer in one round.
    static let perTransfer = 1 << 20
    /// The cost of one call from libcurl, in addition to its bytes: a chunk of one byte costs as much as hundreds of bytes.
    static let perCall = 512

    private(set) var left = RoundBudget.perRound
    private var round = 1

    /// Starts the next round.
    mutating func begin() {
        round += 1
        left = RoundBudget.perRound
    }

    /// Returns the work that a transfer may still do in this round.
    func allowance(of share: Share) -> Int { min(left, RoundBudget.perTransfer - (share.round == round ? share.used : 0)) }

    /// Records work that was done. It may exceed the allowance slightly.
    mutating func spend(_ work: Int, of share: inout Share) {
        if share.round != round { share = Share(round: round, used: 0) }
        share.used += work
        left -= work
    }
}
