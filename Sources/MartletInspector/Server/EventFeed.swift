internal import MartletEssentials
internal import MartletJSON
internal import MartletSystem
internal import MartletTransfers

/// The server-sent events for one page: what changed, at most four times a second.
///
/// Nothing is queued for a page that does not read: the next event has the newest state. A page that misses too many removals is
/// disconnected, and loads the calls again.
final class EventFeed: HTTPBodyReader {
    private struct State {
        var hasBegun = false
        var isSignalled = false
        /// The revision that the page knows.
        var revision: Int
        /// The number of events that the page knows of each running stream.
        var events: [UInt64: Int] = [:]
        var lastSent: ContinuousClock.Instant?
        var listener: Int?
    }

    private static let pause = Duration.milliseconds(250)
    private static let silence = Duration.seconds(10)

    private let log: CallLog
    private let writer: CallMembers
    private let time: any TimeSource
    private let state: Locked<State>
    private let wait = PendingRead()

    init(_ log: CallLog, _ writer: CallMembers, time: any TimeSource = SystemTime()) {
        self.log = log
        self.writer = writer
        self.time = time
        let (calls, revision) = log.snapshot
        state = Locked(State(revision: revision, events: Dictionary(uniqueKeysWithValues: calls.map { ($0.info.id, $0.eventCount) })))
        let listener = log.listen { [weak self] in self?.signal() }
        state.withLock { $0.listener = listener }
    }

    deinit { if let listener = state.withLock({ $0.listener }) { log.ignore(listener) } }

    func next() async throws(HTTPError) -> Data? {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { return Data("retry: 1000\n\n".utf8) }
        while true {
            if let last = state.withLock({ $0.lastSent }) { try await rest(until: last + EventFeed.pause) }
            let revision = state.withLock { state in
                state.isSignalled = false
                return state.revision
            }
            let changes = log.changes(after: revision)
            if changes.isIncomplete { return nil }
            let text = text(of: changes)
            state.withLock { $0.revision = changes.revision }
            if !text.isEmpty { return sent(text) }
            if try await !waitForSignal() { return sent(": keep-alive\n\n") }
        }
    }

    func cancel(_ reason: HTTPError) {
        if let listener = state.withLock({ $0.listener.take() }) { log.ignore(listener) }
        wait.cancel(reason)
    }

    // MARK: Waiting

    private func signal() {
        state.withLock { $0.isSignalled = true }
        wait.finish(.success(Data()))
    }

    /// Returns false if nothing changed for some seconds.
    private func waitForSignal() async throws(HTTPError) -> Bool {
        let timer = time.timer(at: time.instant + EventFeed.silence) { [wait] in wait.finish(.success(nil)) }
        defer { timer.cancel() }
        let end = try await wait.chunk(cancel: { cancel($0) }) {
            if state.withLock({ $0.isSignalled }) { wait.finish(.success(Data())) }
        }
        return end != nil
    }

    private func rest(until instant: ContinuousClock.Instant) async throws(HTTPError) {
        let duration = instant - time.instant
        guard duration > .zero else { return }
        do { try await time.sleep(for: duration) } catch { throw .cancelled }
    }

    // MARK: Text

    private func sent(_ text: String) -> Data {
        state.withLock { $0.lastSent = time.instant }
        return Data(text.utf8)
    }

    private func text(of changes: CallLog.Changes) -> String {
        var text = ""
        for call in changes.calls {
            text += stream(of: call)
            text += event("call", writer.value(of: call, hasBodies: false))
        }
        if !changes.removed.isEmpty {
            state.withLock { state in for id in changes.removed { state.events[id] = nil } }
            text += event("removed", .object(["ids": .array(JSONArray(changes.removed.map { .string("\($0)") }))]))
        }
        if let revision = changes.cleared { text += event("cleared", .object(["revision": .integer(Int64(revision))])) }
        return text
    }

    private func stream(of call: LoggedCall) -> String {
        let known = state.withLock { state in
            defer { state.events[call.info.id] = call.end == nil ? call.eventCount : nil }
            return state.events[call.info.id] ?? 0
        }
        let count = min(call.eventCount - known, call.events.count)
        guard count > 0 else { return "" }
        let items = call.events.suffix(count).map { writer.event($0) }
        return event(
            "stream",
            .object([
                "id": .string("\(call.info.id)"), "first": .integer(Int64(call.eventCount - count)), "items": .array(JSONArray(items)),
            ]))
    }

    private func event(_ name: String, _ data: JSONValue) -> String { "event: \(name)\ndata: \(JSONText.line(data))\n\n" }
}

/// Reads server-sent events for the page. A stream with an error shows no further events.
struct StreamEvents: EventParsing {
    // The unread start of an event is memory that the log does not count.
    private var parser = EventStreamParser(maxLineBytes: 1_000_000, maxEventBytes: 1_000_000)
    private var hasFailed = false

    mutating func events(in piece: Data) -> [(type: String, id: String?, data: String)] {
        guard !hasFailed else { return [] }
        guard let items = try? parser.feed(piece) else {
            hasFailed = true
            return []
        }
        return items.compactMap { item in
            guard case .event(let event) = item else { return nil }
            return (event.type, event.id.isEmpty ? nil : event.id, event.data)
        }
    }
}
