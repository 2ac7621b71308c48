internal import MartletEssentials
internal import MartletSystem

/// The operations of one connection, with their messages that were not read yet. It does no I/O, but resumes the readers that wait.
struct GraphQLSocketInbox: Sendable {
    typealias Outcome = Result<SubscriptionMessage?, GraphQLError>
    typealias Waiter = OneShot<Outcome>

    /// A reader to resume after the lock is released.
    struct Wake: Sendable {
        let waiter: Waiter
        let outcome: Outcome
        func callAsFunction() { waiter.set(outcome) }
    }

    private struct Operation {
        var queue: GraphQLSocketQueue
        let maxBytes: Int
        var waiter: Waiter?
        /// The error after the messages of the queue, or nil.
        var failure: GraphQLError?
        /// Whether nothing more arrives.
        var isOver = false

        /// Returns what the reader gets, or nil if it must wait.
        mutating func next() -> Outcome? {
            if let message = queue.next() { return .success(message) }
            if let failure { return .failure(failure) }
            return isOver ? .success(nil) : nil
        }

        mutating func wake() -> Wake? {
            guard let waiter, let outcome = next() else { return nil }
            self.waiter = nil
            return Wake(waiter: waiter, outcome: outcome)
        }
    }

    /// By ID, until their readers leave.
    private var operations: [String: Operation] = [:]

    var isEmpty: Bool { operations.isEmpty }

    /// Whether the socket is to be read: a reader waits, or no operation has many unread messages.
    var wantsMore: Bool {
        operations.values.contains { $0.waiter != nil } || !operations.values.contains { !$0.isOver && $0.queue.isFull }
    }

    mutating func begin(_ id: String, maxBytes: Int) {
        operations[id] = Operation(queue: GraphQLSocketQueue(maxBytes: maxBytes), maxBytes: maxBytes)
    }

    /// Gives the reader of an operation its next message, now or when it arrives.
    mutating func read(_ id: String, _ waiter: Waiter) -> Wake? {
        guard operations[id] != nil else { return Wake(waiter: waiter, outcome: .failure(.http(.cancelled))) }
        operations[id]?.waiter = waiter
        return operations[id]?.wake()
    }

    /// Removes an operation whose reader has left. Returns nil if there is none.
    mutating func remove(_ id: String) -> [Wake]? {
        guard let operation = operations.removeValue(forKey: id) else { return nil }
        return operation.waiter.map { [Wake(waiter: $0, outcome: .failure(.http(.cancelled)))] } ?? []
    }

    /// Takes an event. Returns the readers to resume, and the operation that has failed here and must be stopped.
    mutating func take(_ event: GraphQLSocketSession.Event) -> (wakes: [Wake], stopped: String?) {
        switch event {
        case .next(let id, let json): return add(.next(json), to: id)
        case .failed(let id, let errors): return add(.error(errors), to: id)
        case .complete(let id): return add(.complete, to: id)
        case .heartbeat: return (Array(operations.keys).flatMap { add(.heartbeat, to: $0).wakes }, nil)
        case .acknowledged, .refused, .violation: return ([], nil)
        }
    }

    private mutating func add(_ message: SubscriptionMessage, to id: String) -> (wakes: [Wake], stopped: String?) {
        guard var operation = operations[id], !operation.isOver else { return ([], nil) }
        // Taken out, so that its queue is not copied.
        operations[id] = nil
        defer { operations[id] = operation }
        switch message {
        case .next(let json) where json.count > operation.maxBytes:
            operation.failure = Self.tooLarge(operation.maxBytes, "")
        case .error, .complete:
            operation.isOver = true
            _ = operation.queue.add(message)
        default:
            guard operation.queue.add(message) else {
                operation.failure = Self.tooLarge(operation.maxBytes, "its results are read more slowly than they arrive")
                break
            }
        }
        let hasFailed = operation.failure != nil
        if hasFailed { operation.isOver = true }
        return (operation.wake().map { [$0] } ?? [], hasFailed ? id : nil)
    }

    /// Ends all operations with an error after their unread messages.
    mutating func fail(_ error: GraphQLError) -> [Wake] {
        var wakes: [Wake] = []
        for id in Array(operations.keys) {
            guard var operation = operations[id], !operation.isOver else { continue }
            (operation.failure, operation.isOver) = (error, true)
            if let wake = operation.wake() { wakes.append(wake) }
            operations[id] = operation
        }
        return wakes
    }

    private static func tooLarge(_ limit: Int, _ detail: String) -> GraphQLError {
        .http(.responseTooLarge(SizeLimitFailure(limit: limit, context: ErrorContext(stage: .body, detail: detail))))
    }
}

/// The messages of one operation that have arrived and were not read. A pure value.
struct GraphQLSocketQueue: Sendable {
    /// The number of messages and bytes above which the socket is not read for the sake of other operations that wait for nothing.
    static let softLimit = (messages: 16, bytes: 256 << 10)
    /// The number of messages above which the operation fails. The number of bytes is that of the largest message.
    static let hardLimit = 1024

    private var messages: [SubscriptionMessage] = []
    private var first = 0
    private var bytes = 0
    private let maxBytes: Int

    init(maxBytes: Int) { self.maxBytes = maxBytes }

    private var count: Int { messages.count - first }

    /// Whether enough messages wait.
    var isFull: Bool { count >= Self.softLimit.messages || bytes >= Self.softLimit.bytes }

    /// Adds a message. Returns false if the queue has no room for it.
    mutating func add(_ message: SubscriptionMessage) -> Bool {
        // One sign of life says as much as many, and a result is one too.
        if case .heartbeat = message, count > 0 { return true }
        let size = Self.size(message)
        // The end of an operation always has room.
        if case .next = message, count > 0, count >= Self.hardLimit || bytes + size > maxBytes { return false }
        messages.append(message)
        bytes += size
        return true
    }

    mutating func next() -> SubscriptionMessage? {
        guard first < messages.count else { return nil }
        let message = exchange(&messages[first], with: .heartbeat)
        first += 1
        bytes -= Self.size(message)
        if first == messages.count {
            (messages, first) = ([], 0)
        } else if first >= 64, first * 2 > messages.count {
            messages.removeFirst(first)
            first = 0
        }
        return message
    }

    private static func size(_ message: SubscriptionMessage) -> Int { if case .next(let json) = message { json.count } else { 0 } }
}
