internal import MartletEssentials

/// A reply that a connection is giving, or that a handler is still making.
struct ReplyInProgress {
    /// Whether somebody else has to do something first: a handler, a sleep, the maker of a body.
    var isWaiting: Bool
    /// Who that is.
    var task: Task<Void, Never>?
    var stream: StreamInProgress?
    let closes: Bool
    private var steps: ArraySlice<ReplyPlan.Step>

    /// A reply that a handler is making.
    init() {
        isWaiting = true
        closes = false
        steps = []
    }

    init(_ plan: ReplyPlan) {
        isWaiting = false
        closes = plan.closes
        steps = plan.steps[...]
    }

    mutating func nextStep() -> ReplyPlan.Step? {
        guard case .drip(let bytes, let drip) = steps.first else { return steps.popFirst() }
        let rest = bytes.dropFirst(drip.bytes)
        let next: [ReplyPlan.Step] = rest.isEmpty ? [] : [.wait(drip.wait), .drip(rest, drip)]
        steps.replaceSubrange(steps.startIndex...steps.startIndex, with: next)
        return .write(Data(bytes.prefix(drip.bytes)))
    }
}

/// A body that is made while it is sent: framed, and cut where the reply says so.
struct StreamInProgress {
    let ending: Data
    private let isChunked: Bool
    private var left: Int?

    init(_ step: ReplyPlan.StreamStep) {
        ending = step.ending
        isChunked = step.isChunked
        left = step.cutAfter
    }

    /// Whether the connection is to be broken off now.
    var isCut: Bool { left == 0 }

    /// The bytes to write for a piece.
    mutating func wire(_ piece: Data) -> Data {
        let bytes = isChunked ? ReplyHead.chunk(piece) : piece
        guard let left else { return bytes }
        self.left = max(0, left - bytes.count)
        return Data(bytes.prefix(left))
    }
}
