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
        let ending = timeout > .zero ? await wait(for: matcher, count, timeout) : .timeout(timeout)
        let arrived = requests
        let fitting = arrived.filter { $0.matches(matcher) }
        if fitting.count >= count { return Array(fitting.prefix(count)) }
        throw RequestWaitError(
            ending ?? .cancellation, fitting, of: count, matcher,
            others: arrived.filter { !$0.matches(matcher) }.map { ("\($0)", $0.differences(from: matcher)) })
    }

    /// Waits until enough requests have arrived. Returns the end of the wait if it ends before.
    private func wait(for matcher: RequestMatcher, _ count: Int, _ timeout: Duration) async -> RequestWaitError.Ending? {
        let deadline = control.options.time.instant + timeout
        let ending = Locked<RequestWaitError.Ending?>(nil)
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
                if control.mailbox.isClosed { return ending.withLock { $0 = $0 ?? .stop } }
                do { try await control.changes.wait { $0 != seen } } catch { return }
            }
        }
        let end = { @Sendable (why: RequestWaitError.Ending) in
            ending.withLock { $0 = $0 ?? why }
            search.cancel()
        }
        let timer = control.options.time.timer(at: deadline) { end(.timeout(timeout)) }
        await withTaskCancellationHandler {
            await search.value
        } onCancel: {
            end(.cancellation)
        }
        timer.cancel()
        return ending.withLock { $0 }
    }
}

/// The error of a wait for requests of which not enough arrived.
public struct RequestWaitError: Error, CustomStringConvertible {
    /// How a wait ended before enough requests had arrived.
    @nonexhaustive public enum Ending: Sendable, Hashable {
        /// The time limit, with its duration.
        case timeout(Duration)
        /// The task that waited was cancelled.
        case cancellation
        /// The server was stopped.
        case stop
    }

    /// How the wait ended.
    public let ending: Ending
    /// The number of requests that the wait was for.
    public let expectedCount: Int
    /// The matching requests that arrived, in order. There are fewer than expected.
    public let requests: [RecordedRequest]
    /// The numbers of expected and received requests, the end of the wait (its timeout, a cancellation or the server's stop), and the other
    /// requests with their differences, the nearest first.
    public let description: String

    init(
        _ ending: Ending, _ requests: [RecordedRequest], of count: Int, _ matcher: RequestMatcher,
        others: [(name: String, differences: [RequestDifference])]
    ) {
        self.ending = ending
        self.requests = requests
        expectedCount = count
        let end =
            switch ending {
            case .timeout(let limit): "within \(limit)"
            case .cancellation: "before the task was cancelled"
            case .stop: "before the server was stopped"
            }
        description =
            "\(requests.count) of \(count) requests that match \(matcher) arrived \(end)."
            + (others.isEmpty ? " No others arrived." : " The others, the nearest first:\n\(StubReport.text(others))")
    }
}
