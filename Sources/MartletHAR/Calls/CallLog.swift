internal import MartletEssentials
package import MartletSystem

/// The last calls of a client, within limits for their number and their bytes.
package final class CallLog: Sendable {
    /// The limits of a log.
    package struct Limits: Sendable {
        package var calls: Int
        package var bytes: Int
        var bodyBytes: Int

        package init(calls: Int, bytes: Int, bodyBytes: Int) {
            self.calls = max(1, calls)
            self.bytes = max(0, bytes)
            self.bodyBytes = max(0, bodyBytes)
        }
    }

    /// What changed after a revision.
    package struct Changes: Sendable {
        package var revision = 0
        package var calls: [LoggedCall] = []
        package var removed: [UInt64] = []
        package var cleared: Int?
        /// Whether more calls were removed than the log remembers.
        package var isIncomplete = false
    }

    /// A call of the log, which is changed in place.
    private final class Entry {
        var call: LoggedCall
        init(_ call: LoggedCall) { self.call = call }
    }

    private struct State {
        var revision = 0
        var calls: [UInt64: Entry] = [:]
        /// The calls in the order in which they started.
        var order: [Entry] = []
        var bytes = 0
        var removed: [(revision: Int, id: UInt64)] = []
        /// The revision of the oldest removal that is no longer in `removed`.
        var forgotten = 0
        var cleared: (revision: Int, upTo: Int)?
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextListener = 0
    }

    private static let maxRemoved = 2_000
    private static let maxEvents = 2_000

    package let limits: Limits
    private let time: any TimeSource
    private let makeParser: (@Sendable () -> any EventParsing)?
    private let state = Locked(State())

    package init(limits: Limits, time: any TimeSource = SystemTime(), makeParser: (@Sendable () -> any EventParsing)? = nil) {
        self.limits = limits
        self.time = time
        self.makeParser = makeParser
    }

    /// Adds an event of a call.
    package func add(_ event: CallEvent, of info: CallInfo) {
        let listeners = state.withLock { state -> [@Sendable () -> Void] in
            guard let entry = entry(of: event, info, &state) else { return [] }
            state.revision += 1
            state.bytes += update(&entry.call, event, state.revision)
            shrink(&state)
            return state.listeners.isEmpty ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Returns the call of an event, which is new if it has started, or nil if it was removed.
    private func entry(of event: CallEvent, _ info: CallInfo, _ state: inout State) -> Entry? {
        if let entry = state.calls[info.id] { return entry }
        guard case .started = event else { return nil }
        let entry = Entry(LoggedCall(info: info))
        state.calls[info.id] = entry
        state.order.append(entry)
        state.bytes += entry.call.cost
        return entry
    }

    /// The calls in the order in which they started, and the revision of the log.
    package var snapshot: (calls: [LoggedCall], revision: Int) {
        state.withLock { state in (state.order.map(\.call), state.revision) }
    }

    /// The approximate number of bytes that the calls take.
    var bytes: Int { state.withLock { $0.bytes } }

    package func call(_ id: UInt64) -> LoggedCall? { state.withLock { $0.calls[id]?.call } }

    /// Removes all calls that have ended.
    package func clear() {
        let listeners = state.withLock { state in
            let upTo = state.revision
            for entry in state.order where entry.call.end != nil { remove(entry, &state) }
            state.order.removeAll { $0.call.end != nil }
            state.revision += 1
            state.cleared = (state.revision, upTo)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Returns what changed after a revision.
    package func changes(after revision: Int) -> Changes {
        state.withLock { state in
            var changes = Changes(revision: state.revision)
            guard state.revision > revision else { return changes }
            changes.calls = state.order.filter { $0.call.revision > revision }.map(\.call)
            changes.removed = state.removed.filter { $0.revision > revision }.map(\.id)
            if let cleared = state.cleared, cleared.revision > revision { changes.cleared = cleared.upTo }
            changes.isIncomplete = state.forgotten > revision
            return changes
        }
    }

    /// Calls a closure after each change, until ``ignore(_:)``. Returns its number.
    package func listen(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
    }

    package func ignore(_ listener: Int) { state.withLock { $0.listeners[listener] = nil } }

    // MARK: Changes

    /// Removes calls beyond the limits, those that have ended first.
    private func shrink(_ state: inout State) {
        while state.order.count > limits.calls || state.bytes > limits.bytes, !state.order.isEmpty {
            let index = state.order.firstIndex { $0.call.end != nil } ?? 0
            let entry = state.order.remove(at: index)
            remove(entry, &state)
            guard !state.listeners.isEmpty else {
                state.forgotten = state.revision
                continue
            }
            state.removed.append((state.revision, entry.call.info.id))
            if state.removed.count > CallLog.maxRemoved { state.forgotten = state.removed.removeFirst().revision }
        }
    }

    private func remove(_ entry: Entry, _ state: inout State) {
        state.calls[entry.call.info.id] = nil
        state.bytes -= entry.call.cost
    }

    /// Returns by how many bytes the call grew.
    private func update(_ call: inout LoggedCall, _ event: CallEvent, _ revision: Int) -> Int {
        let before = call.cost
        call.revision = revision
        switch event {
        case .started(let request): call.target = request.map { ($0.method, $0.url.absoluteString) }
        case .attemptStarted(let number, let request):
            call.add(LoggedAttempt(number, request, at: now(in: call), limit: limits.bodyBytes))
        case .headReceived(let number, let head): call.change(number) { $0.receive(head) }
        case .bodyReceived(let number, let piece): receive(piece, number, &call, now(in: call))
        case .message(let message): receive(message, &call, now(in: call))
        case .step(let step): call.add(step, limit: limits.bodyBytes)
        case .ended(let outcome, let duration): call.finish(outcome, after: duration)
        }
        if call.end == nil { call.shorten(upTo: limits.bytes / 2) }
        return call.cost - before
    }

    /// The seconds since the start of a call.
    private func now(in call: LoggedCall) -> Double { max(0, time.now.timeIntervalSince(call.info.start)) }

    private func receive(_ piece: Data, _ number: Int, _ call: inout LoggedCall, _ at: Double) {
        var isEvents = false
        call.change(number) { attempt in
            attempt.receive(piece, at: at, limit: limits.bodyBytes)
            isEvents = attempt.isEventStream
        }
        guard let makeParser, isEvents else { return }
        var parser = call.parser ?? makeParser()
        for event in parser.events(in: piece) {
            call.add(LoggedCall.Event(at: at, content: .event(type: event.type, id: event.id, data: event.data)))
        }
        call.parser = parser
        dropEvents(&call)
    }

    private func receive(_ message: CallMessage, _ call: inout LoggedCall, _ at: Double) {
        call.add(LoggedCall.Event(at: at, content: .message(LoggedMessage(message, limit: limits.bodyBytes))))
        dropEvents(&call)
    }

    /// Removes the oldest events beyond the limits: a quarter of them at a time, because each removal moves the rest.
    private func dropEvents(_ call: inout LoggedCall) {
        let most = max(limits.bytes / 4, 10_000)
        while call.events.count > CallLog.maxEvents || call.events.count > 1 && call.cost > most {
            let count = max(1, call.events.count / 4)
            call.cost -= call.events.prefix(count).reduce(0) { $0 + $1.cost }
            call.events.removeFirst(count)
        }
    }
}
