/// The running calls of a transport, or of one client: what `cancelAll()` and `drain(within:)` act on.
///
/// A transport stores one and returns it as ``Transport/calls``; each client over that transport makes its calls in a part of it. So the
/// transport's methods act on the calls of all its clients, and a client's on its own calls and those of its copies.
///
/// A call is one `send`, `response` or `upload`, one page, a stream until its body has been read to its end or dropped, a download with its
/// resumptions, a resumable upload, and an event stream or a GraphQL subscription with its reconnections. Requests that a running call makes
/// (a token refresh, for example) are parts of that call.
public final class CallGroup: Sendable {
    private let registry: CallRegistry
    private let number: Int

    /// Creates a group without calls: `let calls = CallGroup()` in a transport of your own.
    public init() {
        registry = CallRegistry()
        number = CallRegistry.all
    }

    private init(memberOf group: CallGroup) {
        registry = group.registry
        number = registry.makeGroup()
    }

    deinit {
        if number != CallRegistry.all { registry.forget(number) }
    }

    /// A group whose calls are also calls of this one.
    package func makeMember() -> CallGroup { CallGroup(memberOf: self) }

    /// Registers a new call, as a part of the call that the current task works for. Returns nil when the group is draining and the call is
    /// not a part of a running one.
    package func begin() -> CallTicket? { registry.begin(in: number, within: CallTicket.current) }

    /// How many calls are running.
    public var runningCount: Int { registry.count(in: number) }

    /// Whether a drain has begun, so that new calls throw `HTTPError.draining`.
    public var isDraining: Bool { registry.isDraining(number) }

    /// Cancels the running calls: each throws `HTTPError.cancelled`, also while it waits for a retry, a reconnection or an interceptor.
    ///
    /// Returns at once. The tasks that made the calls are not cancelled, and new calls work: use it when a user signs out or a view
    /// disappears. A stream whose head has arrived throws when its body is read next; a sequence of pages is only affected while a page is
    /// being loaded.
    ///
    /// Work that several calls share belongs to none of them, and continues: a token refresh, whose new refresh token would otherwise be
    /// lost, and a cache's fetch in the background. A refresh whose own client uses the same transport is cancelled with the transport's calls.
    public func cancelAll() { registry.cancelAll(in: number) }

    /// Refuses new calls and waits until the running ones have ended; cancels those that have not when the time is over.
    ///
    /// From the first moment, new calls throw `HTTPError.draining`. Requests that a running call needs are still sent: its retries,
    /// redirects, resumptions, reconnections and token refreshes. A group is never opened again: make a new client, or a new transport.
    ///
    /// For a server that is told to stop:
    ///
    /// ```swift
    /// signal(SIGTERM, SIG_IGN)
    /// let terminate = DispatchSource.makeSignalSource(signal: SIGTERM)
    /// terminate.setEventHandler {
    ///     Task {
    ///         let summary = await transport.drain(within: .seconds(20))
    ///         print("finished: \(summary.finished), cancelled: \(summary.cancelled)")
    ///         exit(0)
    ///     }
    /// }
    /// terminate.resume()
    /// ```
    ///
    /// When it is called again, each call waits for its own time, and the first whose time is over cancels what is left; all return the same
    /// summary, which counts from the first drain. When the task that drains is cancelled, the running calls are cancelled at once.
    ///
    /// - Parameters:
    ///   - limit: how long the running calls may take. Zero or less: they are cancelled at once.
    ///   - time: measures the limit. Default: the system's.
    /// - Returns: how many calls finished and how many were cancelled.
    @concurrent public func drain(within limit: Duration, time: any TimeSource = .system) async -> DrainSummary {
        await registry.drain(number, within: limit, time: time)
    }
}
