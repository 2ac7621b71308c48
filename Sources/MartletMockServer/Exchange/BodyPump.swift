internal import MartletEssentials
internal import MartletSystem

/// Requests the next piece of a body only when the last one has been passed to the kernel.
struct BodyPump {
    let step: ReplyPlan.StreamStep
    let control: ServerControl
    let connection: Int

    func run() async {
        let reader: any HTTPBodyReader
        do { reader = try step.make().reader() } catch { return control.post(.bodyFailure, to: connection) }
        var division = BodyDivision(step)
        var isFirst = true
        do {
            while let piece = try await reader.next() {
                if !isFirst { try await wait(step.pieceDelay) }
                isFirst = false
                while let part = division.next(of: piece) {
                    try await wait(part.wait)
                    let written = OneShot<Bool>()
                    control.post(.piece(part.bytes, written: written), to: connection)
                    guard await written.value() else { return reader.cancel(.cancelled) }
                }
            }
            try await wait(division.waitAtEnd)
            control.post(.bodyEnd, to: connection)
        } catch {
            reader.cancel(.cancelled)
            control.post(.bodyFailure, to: connection)
        }
    }

    /// Waits for a duration or, with nil, until the client disconnects, which cancels the task.
    private func wait(_ duration: Duration?) async throws(CancellationError) {
        guard let duration else { return try await Tally().wait { _ in false } }
        if duration > .zero { try await control.options.time.sleep(for: duration) }
    }
}

/// Divides the pieces of a body for the reply's pause and for slow sending, with the waits between the parts.
struct BodyDivision {
    struct Part {
        /// The wait before the bytes, or nil for a wait without an end.
        let wait: Duration?
        let bytes: Data
    }

    private let stall: MockReply.Stall?
    private let drip: MockReply.Drip?
    /// The number of bytes of the body returned so far.
    private var given = 0
    /// The number of bytes of the piece returned so far.
    private var offset = 0

    init(_ step: ReplyPlan.StreamStep) {
        stall = step.stall
        drip = step.drip
    }

    /// Returns the next part of a piece, or nil when none is left.
    mutating func next(of piece: Data) -> Part? {
        let rest = piece.dropFirst(offset)
        guard !rest.isEmpty else {
            offset = 0
            return nil
        }
        let untilStall = stall.map { $0.after > given ? $0.after - given : .max } ?? .max
        let bytes = Data(rest.prefix(min(drip?.bytes ?? .max, untilStall)))
        let wait = given == 0 ? Duration.zero : drip?.wait ?? .zero
        let isStalled = stall?.after == given
        given += bytes.count
        offset += bytes.count
        return Part(wait: isStalled ? stall?.duration : wait, bytes: bytes)
    }

    /// The wait before the end of the body: the pause, if it is there.
    var waitAtEnd: Duration? { stall?.after == given ? stall?.duration : .zero }
}
