internal import MartletSystem

extension MockServer {
    /// The requests so far that fit, in order. It does not wait: see ``waitForRequests(_:matching:timeout:)``.
    public func requests(matching matcher: RequestMatcher) -> [RecordedRequest] { requests.filter { $0.matches(matcher) } }

    /// Waits until `count` requests that fit have been received, and returns the first `count` of them.
    ///
    /// ```swift
    /// try await server.waitForRequests(matching: .get("/slow"))
    /// let created = try await server.waitForRequests(2, matching: .post("/users"))
    /// ```
    ///
    /// A server that does not keep requests finds none.
    ///
    /// - Parameters:
    ///   - count: how many requests to wait for. Default: 1.
    ///   - matcher: which requests count.
    ///   - timeout: how long to wait, by ``Options/time``: a `ManualTime` ends the wait only when it is advanced. Default: 5 seconds.
    /// - Throws: ``RequestWaitError``, whose text lists the requests that were received, when the timeout ends, the server stops, or the
    ///   task is cancelled.
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

    /// Waits until enough requests have come, or says why not.
    private func wait(for matcher: RequestMatcher, _ count: Int, _ timeout: Duration) async -> RequestWaitError.Reason? {
        let deadline = control.options.time.instant + timeout
        let reason = Locked<RequestWaitError.Reason?>(nil)
        let search = Task { [control] in
            // Each request is looked at once.
            var (looked, fitting) = (0, 0)
            while true {
                // What comes from here on changes the number: nothing is missed.
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

/// Why requests that a test waited for did not come. Its text says what came instead, and how that differs, the nearest first.
public struct RequestWaitError: Error, CustomStringConvertible {
    /// What ended the wait.
    public enum Reason: Sendable, Hashable {
        /// The time was over.
        case timeout
        /// The task was cancelled.
        case cancelled
        /// The server was stopped.
        case serverStopped
    }

    /// What ended the wait.
    public let reason: Reason
    /// How many requests were waited for.
    public let expectedCount: Int
    /// How many of them came.
    public let matchedCount: Int
    /// The wait in words: what was waited for, what came, and how it differs.
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
        let came = "\(matched) of \(expected) requests came that match \(matcher), \(ending)."
        description = came + (others.isEmpty ? " No other came." : " The others, the nearest first:\n\(StubReport.text(others))")
    }
}
