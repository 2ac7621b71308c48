internal import MartletEssentials

/// A reply that a connection is sending or a handler is creating.
struct ReplyInProgress {
    /// Whether a handler, a sleep or the source of a body must act first.
    var isWaiting: Bool
    /// The task that must act first.
    var task: Task<Void, Never>?
    var stream: StreamInProgress?
    let closes: Bool
    private var steps: ArraySlice<ReplyPlan.Step>

    /// Creates a reply that a handler is creating.
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

/// A body that is created while it is sent, with its framing, cut where the reply specifies it.
struct StreamInProgress {
    let ending: Data
    private let isChunked: Bool
    private var left: Int?

    init(_ step: ReplyPlan.StreamStep) {
        ending = step.ending
        isChunked = step.isChunked
        left = step.cutAfter
    }

    /// Whether the connection must be broken now.
    var isCut: Bool { left == 0 }

    /// Returns the bytes to write for a piece.
    mutating func wire(_ piece: Data) -> Data {
        let bytes = isChunked ? ReplyHead.chunk(piece) : piece
        guard let left else { return bytes }
        self.left = max(0, left - bytes.count)
        return Data(bytes.prefix(left))
    }
}
