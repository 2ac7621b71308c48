/// The running calls of a transport or of one client, on which `cancelAll()` and `drain(within:)` act.
///
/// A transport stores a group and returns it as ``Transport/calls``. Each client over that transport makes its calls in a member of that
/// group. The transport's methods therefore act on the calls of all its clients, and a client's methods on its own calls and those of its
/// copies.
///
/// Each of these is one call: a `send`, `response` or `upload`; one page; a stream until its body has been read to the end or dropped; a
/// download with its resumptions; a resumable upload; and an event stream or GraphQL subscription with its reconnections. Requests that a
/// running call makes (such as a token refresh) are part of that call.
public final class CallGroup: Sendable {
    private let registry: CallRegistry
    private let number: Int

    /// Creates an empty group, which your own transport stores and returns as its ``Transport/calls``.
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

    /// Creates a group whose calls also belong to this group.
    package func makeMember() -> CallGroup { CallGroup(memberOf: self) }

    /// Registers a new call, as part of the current task's call. Returns nil if the group is draining and the call is not part of a running
    /// call.
    package func begin() -> CallTicket? { registry.begin(in: number, within: CallTicket.current) }

    /// The number of calls that are running now.
    public var runningCount: Int { registry.count(in: number) }

    /// Whether a drain has begun, so that new calls throw `HTTPError.draining`.
    public var isDraining: Bool { registry.isDraining(number) }

    /// Cancels the running calls: each throws `HTTPError.cancelled`, also while it waits for a retry, a reconnection or an interceptor.
    ///
    /// It returns immediately. The tasks that made the calls are not cancelled, and new calls work. Use it when a user signs out or a view
    /// disappears. A stream whose head has arrived throws when its body is read next. A sequence of pages is affected only while it loads a
    /// page.
    ///
    /// Work that several calls share continues: a token refresh, because a new refresh token would otherwise be lost, and a cache's
    /// background fetch. A refresh whose own client uses the same transport is cancelled with the transport's calls.
    public func cancelAll() { registry.cancelAll(in: number) }

    /// Refuses new calls, waits for the running calls, and cancels the ones that are still running after `limit`.
    ///
    /// New calls throw `HTTPError.draining` immediately. Requests that a running call needs are still sent: retries, redirects,
    /// resumptions, reconnections and token refreshes. A drained group never accepts calls again: create a new client or a new transport.
    ///
    /// Use it when a server receives SIGTERM:
    ///
    /// ```swift
    /// signal(SIGTERM, SIG_IGN)
    /// let terminate = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
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
    /// Repeated drains of one group each use their own limit; the first limit that passes cancels the remaining calls. All of them return
    /// the same summary, which counts from the start of the first drain. Cancelling the task that drains cancels the running calls
    /// immediately.
    ///
    /// - Parameters:
    ///   - limit: how long the running calls may take. With zero or less they are cancelled immediately.
    ///   - time: the clock for the limit. Default: the system's.
    /// - Returns: the numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration, time: any TimeSource = .system) async -> DrainSummary {
        await registry.drain(number, within: limit, time: time)
    }
}
