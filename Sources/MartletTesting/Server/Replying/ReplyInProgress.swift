#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

    mutating func nextStep() -> ReplyPlan.Step? { steps.popFirst() }
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

/// Asks for the next piece of a body when the last one has been handed to the kernel, and not before.
struct BodyPump {
    let step: ReplyPlan.StreamStep
    let control: ServerControl
    let connection: Int

    func run() async {
        let reader = step.make().reader
        var isFirst = true
        do {
            while let piece = try await reader.next() {
                if !isFirst, step.pieceDelay > .zero { try await control.options.time.sleep(for: step.pieceDelay) }
                isFirst = false
                let written = Promise<Bool>()
                control.post(.piece(piece, written: written), to: connection)
                guard await written.value else { return reader.cancel(.cancelled) }
            }
            control.post(.bodyEnd, to: connection)
        } catch {
            reader.cancel(.cancelled)
            control.post(.bodyFailure, to: connection)
        }
    }
}
