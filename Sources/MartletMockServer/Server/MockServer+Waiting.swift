internal import MartletSystem

extension MockServer {
    /// Returns the recorded requests that match, in order, without waiting. See ``waitForRequests(_:matching:timeout:)``.
    public func requests(matching matcher: RequestMatcher) -> [RecordedRequest] { requests.filter { $0.matches(matcher) } }

    /// Waits until `count` matching requests have been recorded, and returns the first `count` of them, or throws after the timeout.
    ///
    /// ```swift
    /// try await server.waitForRequests(matching: .get("/slow"))
    /// let created = try await server.waitForRequests(2, matching: .post("/users"))
    /// ```
    ///
    /// A server that does not record requests finds none.
    ///
    /// - Parameters:
    ///   - count: The number of requests to wait for. Default: 1.
    ///   - matcher: The requests that count.
    ///   - timeout: The time limit, measured by ``Options/time``: with a `ManualTime`, it ends only when that is advanced. Default: 5
    ///     seconds.
    /// - Throws: ``RequestWaitError``, whose text lists the received requests, at the timeout, when the server stops, or when the task is
    ///   cancelled.
    @discardableResult
    public func waitForRequests(
        _ count: Int = 1, matching matcher: RequestMatcher, timeout: Duration = .seconds(5)
    ) async throws(RequestWaitError) -> [RecordedRequest] {
        let found = requests(matching: matcher)
        if found.count >= count { return Array(found.prefix(max(0, count))) }
        let reason = timeout > .zero ? await wait(for: matcher, count, timeout) : .timeout
        let arrived = requests
        let fitting = arrived.filter { $0.matches(matcher) }
        if fitting.count >= count { return Array(fitting.prefix(count)) }
        throw RequestWaitError(
            reason: reason ?? .cancelled, matcher: "\(matcher)", expected: count, matched: fitting.count, timeout: timeout,
            others: arrived.filter { !$0.matches(matcher) }.map { ("\($0)", $0.differences(from: matcher)) })
    }

    /// Waits until enough requests have arrived. Returns the reason if the wait ends before.
    private func wait(for matcher: RequestMatcher, _ count: Int, _ timeout: Duration) async -> RequestWaitError.Reason? {
        let deadline = control.options.time.instant + timeout
        let reason = Locked<RequestWaitError.Reason?>(nil)
        let search = Task { [control] in
            // Each request is compared once.
            var (looked, fitting) = (0, 0)
            while true {
                // Read first: a request that arrives from here on changes the number, so that none is missed.
                let seen = control.changes.count
                let requests = control.requests.values
                fitting += requests[looked...].count { $0.matches(matcher) }
                looked = requests.count
                if fitting >= count { return }
                if control.mailbox.isClosed { return reason.withLock { $0 = $0 ?? .serverStopped } }
                do { try await control.changes.wait { $0 != seen } } catch { return }
            }
        }
        let end = { @Sendable (why: RequestWaitError.Reason) in
            reason.withLock { $0 = $0 ?? why }
            search.cancel()
        }
        let timer = control.options.time.timer(at: deadline) { end(.timeout) }
        await withTaskCancellationHandler {
            await search.value
        } onCancel: {
            end(.cancelled)
        }
        timer.cancel()
        return reason.withLock { $0 }
    }
}

/// The error of a wait for requests of which not enough arrived. Its text lists the other requests and their differences, the nearest
/// first.
public struct RequestWaitError: Error, CustomStringConvertible {
    /// The reason why a wait ended without enough requests.
    public enum Reason: Sendable, Hashable {
        /// The time limit of the wait passed.
        case timeout
        /// The task that waited was cancelled.
        case cancelled
        /// The server was stopped.
        case serverStopped
    }

    /// The reason why the wait ended without enough requests.
    public let reason: Reason
    /// The number of requests waited for.
    public let expectedCount: Int
    /// The number of matching requests that arrived.
    public let matchedCount: Int
    /// What was expected, which requests arrived, and how they differ.
    public let description: String

    init(
        reason: Reason, matcher: String, expected: Int, matched: Int, timeout: Duration,
        others: [(name: String, differences: [RequestDifference])]
    ) {
        self.reason = reason
        expectedCount = expected
        matchedCount = matched
        let ending =
            switch reason {
            case .timeout: "within \(timeout)"
            case .cancelled: "before the task was cancelled"
            case .serverStopped: "before the server was stopped"
            }
        let came = "\(matched) of \(expected) requests that match \(matcher) arrived \(ending)."
        description = came + (others.isEmpty ? " No others arrived." : " The others, the nearest first:\n\(StubReport.text(others))")
    }
}
