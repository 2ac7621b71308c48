internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// Decides what a ``FrameLink`` writes, which task writes it, and which senders wait. A value without input and output.
///
/// One task at a time writes. It calls ``next()`` until the output is empty. Messages that are sent meanwhile are written together.
struct FrameOutput {
    /// Waits until its message is written, or the write has failed.
    typealias Sender = OneShot<HTTPError?>

    /// Who writes the message that was sent.
    enum Writing {
        /// The task that sent it.
        case now
        /// Another task, so that further messages are written together with it.
        case later
        /// The one that writes already.
        case underWay
    }

    enum Sending {
        /// A Close frame was sent before.
        case refused
        case failed(HTTPError)
        /// Too much waits to be written. The message is to be sent again, as an admitted one, when the sender is set.
        case full(Sender)
        /// The message is in the output. There is a sender if it has to wait.
        case queued(Sender?, Writing)
    }

    enum Next {
        case write(Data, [Sender])
        /// The output is empty, and no task writes any longer. The senders learn the failure of an earlier write.
        case stop([Sender], HTTPError?)
    }

    /// The number of unsent bytes from which on no message is added, unless the options allow more.
    private static let fullBytes = 64 << 10

    var machine: WebSocketConnectionMachine
    private let maxUnsentBytes: Int
    private var isWriting = false
    /// Whether a message was sent since bytes arrived. The next one then waits for others, to be written together with them.
    private var isBurst = false
    /// The senders of the output, if they wait until it is written.
    private var senders: [Sender] = []
    /// The senders of the bytes that are being written, if the system has not taken them immediately, and the number of these bytes.
    private var blocked: [Sender] = []
    private var writtenBytes = 0
    /// The senders whose messages did not fit, in order. A message that is cancelled here is never sent.
    private var crowd: [(sender: Sender, bytes: Int)] = []
    private var isReleased = false
    private var failure: HTTPError?

    init(_ machine: WebSocketConnectionMachine, maxUnsentBytes: Int) {
        self.machine = machine
        self.maxUnsentBytes = maxUnsentBytes
    }

    /// Whether this side has sent a Close frame, and the server may still be sending.
    var awaitsClose: Bool { failure == nil && machine.hasSentClose && !machine.hasReceivedClose }

    /// Whether the connection can be closed: its user has released it, and nothing is left to write or to wait for.
    var isDone: Bool { isReleased && !isWriting && !awaitsClose }

    private var unsentBytes: Int { machine.outputBytes + writtenBytes }

    /// The number of bytes for which there is room; below zero if the output is full.
    private var roomBytes: Int { max(maxUnsentBytes, FrameOutput.fullBytes) - unsentBytes }

    /// Notes that bytes have arrived: the next message is probably a reply, which does not wait for others.
    mutating func received(_ bytes: Data) {
        isBurst = false
        machine.receive(bytes)
    }

    /// Adds a message to the output. It waits if more than `maxUnsentBytes` are to be written with it.
    ///
    /// - Parameter isAdmitted: Whether the message has waited for room.
    mutating func send(_ message: WebSocketMessage, isAdmitted: Bool = false) -> Sending {
        if let failure { return .failed(failure) }
        guard !isReleased, !machine.hasSentClose else { return .refused }
        if !isAdmitted, roomBytes < 0 || !crowd.isEmpty {
            let waits = Sender()
            crowd.append((waits, message.byteCount))
            return .full(waits)
        }
        _ = machine.send(message)
        var sender: Sender?
        if unsentBytes > maxUnsentBytes {
            let waits = Sender()
            senders.append(waits)
            sender = waits
        }
        guard begin() else { return .queued(sender, .underWay) }
        let isBurst = exchange(&isBurst, with: true)
        return .queued(sender, isBurst && sender == nil ? .later : .now)
    }

    /// Makes the caller the one who writes. Returns false if another task is.
    mutating func begin() -> Bool {
        defer { isWriting = true }
        return !isWriting
    }

    /// Removes a sender that was cancelled while it waited for room. Returns the one to admit in its place if it had been admitted already.
    mutating func leaveCrowd(_ sender: Sender) -> Sender? {
        if let place = crowd.firstIndex(where: { $0.sender === sender }) {
            crowd.remove(at: place)
            return nil
        }
        return crowd.isEmpty ? nil : crowd.removeFirst().sender
    }

    /// Removes and returns those of the crowd for which there is room, or all if their messages can't be sent any longer.
    private mutating func admit() -> [Sender] {
        guard !crowd.isEmpty else { return [] }
        var room = failure == nil && !machine.hasSentClose ? roomBytes : .max, count = 0
        while count < crowd.count, room >= 0 {
            room -= crowd[count].bytes
            count += 1
        }
        defer { crowd.removeFirst(count) }
        return crowd.prefix(count).map(\.sender)
    }

    /// Returns the next bytes to write, and the senders whose messages fit now. Call it when the previous write is complete.
    mutating func next() -> (next: Next, admitted: [Sender]) {
        let senders = exchange(&senders, with: [])
        let output = failure == nil ? machine.takeOutput() : nil
        blocked = []
        writtenBytes = output?.count ?? 0
        let admitted = admit()
        if let output { return (.write(output, senders), admitted) }
        isWriting = false
        return (.stop(senders, failure), admitted)
    }

    /// Keeps the senders of bytes that the system has not taken immediately. Returns them after the release, when they do not wait.
    mutating func block(_ senders: [Sender]) -> [Sender] {
        guard !isReleased else { return senders }
        blocked.append(contentsOf: senders)
        return []
    }

    /// Sends nothing more, because a write has failed.
    mutating func fail(_ error: HTTPError) { failure = error }

    /// Accepts no more messages. Returns all senders, which do not wait any longer.
    mutating func release() -> [Sender] {
        isReleased = true
        return exchange(&senders, with: []) + exchange(&blocked, with: []) + exchange(&crowd, with: []).map(\.sender)
    }
}
