/// The decoding, and the number of calls from libcurl, that one round of the engine may take, in all and for each transfer.
///
/// libcurl hands over what a connection has received, up to 64 KiB, before it looks at anything else. The server chooses how far those bytes
/// expand and in how many pieces they come. A transfer whose share is used up is paused and continues in a later round, so that commands,
/// deadlines and other transfers are looked at in between.
struct RoundWork {
    /// The work that a transfer did in the last round in which it did some.
    struct Share {
        fileprivate var round = 0
        fileprivate var used = 0
    }

    /// The work of all transfers in one round: some 10 ms of decompressing.
    static let perRound = 4 << 20
    /// The work of one transfer in one round.
    static let perTransfer = 1 << 20
    /// The cost of one call from libcurl, however few bytes it hands over: chunks of one byte are as expensive as hundreds.
    static let perCall = 512

    private(set) var left = RoundWork.perRound
    private var round = 1

    /// Starts the next round.
    mutating func begin() {
        round += 1
        left = RoundWork.perRound
    }

    /// The work that a transfer may still do in this round.
    func allowance(of share: Share) -> Int { min(left, RoundWork.perTransfer - (share.round == round ? share.used : 0)) }

    /// Notes work that was done, which may be a little more than was allowed.
    mutating func spend(_ work: Int, of share: inout Share) {
        if share.round != round { share = Share(round: round, used: 0) }
        share.used += work
        left -= work
    }
}
