internal import MartletEssentials
internal import MartletWebSocketProtocol

/// Plays the script of a WebSocket: decides what the server writes and when it waits. It has no other effects.
struct WebSocketPlayer {
    /// What the connection must do next.
    enum Action: Equatable {
        /// Passes all these bytes to the socket before the next action.
        case write(Data)
        /// Waits before ``resume()``, and reads in the meantime.
        case wait(Duration)
        /// Ends the connection after the closing handshake.
        case end
        case breakOff(isReset: Bool)
    }

    /// What has happened, for the test.
    enum Note: Equatable {
        case event(WebSocketEvent)
        /// A step found something else than it expected.
        case failure(String)
    }

    private var machine: WebSocketConnectionMachine
    private var steps: ArraySlice<WebSocketStep>
    /// Steps that the test has added while the script was being played.
    private var addedSteps: ArraySlice<WebSocketStep> = []
    /// Messages that no step has received yet.
    private var inbox: ArraySlice<WebSocketMessage> = []
    private var notes: [Note] = []
    /// Bytes that do not come from the machine.
    private var rawOutput: Data?
    private var isSleeping = false
    private var hasEnded = false
    /// The number of bytes that are written before the connection breaks, or nil.
    private var bytesLeft: Int?
    private let isCutReset: Bool
    private var ignoresPings = false
    private var ignoresClose = false
    private(set) var isReading = true

    init(_ steps: [WebSocketStep], machine: WebSocketConnectionMachine, cut: (bytes: Int, isReset: Bool)? = nil) {
        self.steps = steps[...]
        self.machine = machine
        bytesLeft = cut?.bytes
        isCutReset = cut?.isReset ?? false
    }

    /// The number of received bytes that have not been read.
    var unread: Int { machine.unreadBytes }

    mutating func receive(_ bytes: Data) { machine.receive(bytes) }

    /// Adds steps, which are played when the script waits for any message or has ended.
    mutating func add(_ steps: [WebSocketStep]) { addedSteps += steps }

    /// Ends a wait.
    mutating func resume() { isSleeping = false }

    mutating func takeNotes() -> [Note] {
        defer { notes = [] }
        return notes
    }

    /// Reads what has arrived before the client ended the connection.
    mutating func clientEnded() {
        while read() {}
        end()
    }

    /// Returns the next action, or nil until more bytes, the end of a wait or more steps.
    mutating func next() -> Action? {
        while !hasEnded {
            if let action = output() { return action }
            if !isSleeping {
                switch play() {
                case .action(let action): return action
                case .again: continue
                case .waits: break
                }
                if machine.isOver, machine.hasFailed || !ignoresClose {
                    end()
                    return .end
                }
            }
            guard read() else { return nil }
        }
        return nil
    }

    // MARK: Writing

    private mutating func output() -> Action? {
        if bytesLeft == 0 {
            end()
            return .breakOff(isReset: isCutReset)
        }
        guard var bytes = rawOutput.take() ?? machine.takeOutput() else { return nil }
        if let left = bytesLeft {
            bytes = bytes.prefix(left)
            bytesLeft = left - bytes.count
        }
        return .write(bytes)
    }

    // MARK: Reading

    /// Reads one event. Returns false if more bytes are needed.
    private mutating func read() -> Bool {
        guard isReading, let event = machine.next() else { return false }
        notes.append(.event(event))
        switch event {
        case .message(let message): inbox.append(message)
        case .ping where ignoresPings, .close where ignoresClose: _ = machine.takeOutput()
        default: break
        }
        return true
    }

    // MARK: Steps

    private enum Progress {
        case action(Action)
        case again
        /// The script needs a message, or has ended.
        case waits
    }

    private mutating func play() -> Progress {
        guard let step = steps.first else { return playAdded() }
        switch step.kind {
        case .expect(let difference):
            guard let message = inbox.popFirst() else { return .waits }
            steps.removeFirst()
            if let words = difference(message) { fail(words) }
            return .again
        case .answer(let count, let answer):
            guard count > 0 else { break }
            guard let message = inbox.popFirst() else { return playAdded() }
            if count < .max { steps[steps.startIndex] = .answer(count - 1, answer) }
            steps.insert(contentsOf: answer(message), at: steps.startIndex)
            return .again
        default: break
        }
        steps.removeFirst()
        return perform(step.kind)
    }

    /// Continues with the steps that the test has added.
    private mutating func playAdded() -> Progress {
        guard let step = addedSteps.popFirst() else { return .waits }
        steps.insert(step, at: steps.startIndex)
        return .again
    }

    /// Performs a step that needs no message.
    private mutating func perform(_ kind: WebSocketStep.Kind) -> Progress {
        switch kind {
        case .send(let message, let fragmentBytes): _ = machine.send(message, fragmentBytes: fragmentBytes)
        case .ping(let payload): _ = machine.ping(payload)
        case .pong(let payload): _ = machine.pong(payload)
        case .raw(let bytes): rawOutput = bytes
        case .reading(let isReading): self.isReading = isReading
        case .ignorePings: ignoresPings = true
        case .ignoreClose: ignoresClose = true
        case .close(let code, let reason): machine.close(code: code, reason: reason)
        case .expect, .answer: break
        case .delay(let duration):
            guard duration > .zero else { break }
            isSleeping = true
            return .action(.wait(duration))
        case .drop(let isReset):
            end()
            return .action(.breakOff(isReset: isReset))
        }
        return .again
    }

    private mutating func fail(_ words: String) {
        notes.append(.failure(words))
        steps = []
        addedSteps = []
        machine.close(code: .policyViolation, reason: words)
    }

    /// Ends the script. A message that it still waits for is missing.
    private mutating func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if let step = steps.first, case .expect = step.kind, inbox.isEmpty {
            notes.append(.failure("\(step) is not fulfilled: the connection has ended"))
        }
    }
}

extension WebSocketScript {
    /// Returns a player of the script.
    func player(messageBytes: Int, cut: MockReply.Disconnect?) -> WebSocketPlayer {
        let limits = WebSocketLimits(frameBytes: messageBytes, messageBytes: messageBytes)
        let machine = WebSocketConnectionMachine(role: .server, limits: limits, compression: agreement.compression)
        return WebSocketPlayer(steps, machine: machine, cut: cut.flatMap { cut in cut.bodyBytes.map { ($0, cut.isReset) } })
    }
}
