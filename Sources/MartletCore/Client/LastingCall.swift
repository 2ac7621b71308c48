/// A call that lasts over several requests and waits, with its reader's code in between: an event stream, a subscription.
///
/// It begins at the first ``check()`` and ends at the latest when it is dropped.
package final class LastingCall: Sendable {
    private enum State {
        case unbegun
        case begun(CallTicket?)
    }

    private let group: CallGroup?
    private let state = Locked(State.unbegun)

    /// A call in this group; in none of those that nobody can cancel.
    package init(_ group: CallGroup?) { self.group = group }

    deinit { ticket?.end() }

    private var ticket: CallTicket? { state.withLock { if case .begun(let ticket) = $0 { ticket } else { nil } } }

    /// Begins the call, unless it has begun. Throws `.draining` when no new one is started, and `.cancelled` when it was cancelled.
    package func check() throws(HTTPError) {
        let hasBegun = state.withLock { if case .begun = $0 { true } else { false } }
        if !hasBegun {
            let ticket = try group?.beginCall()
            state.withLock { $0 = .begun(ticket) }
        }
        if isCancelled { throw .cancelled }
    }

    /// Whether it was cancelled through its group.
    package var isCancelled: Bool { ticket?.isCancelled ?? false }

    /// Runs a part of the call, which is cancelled with it.
    package func run<Value: Sendable, Failure: Error>(
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        if let ticket { return await ticket.run(operation) }
        do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
    }

    /// Says how it is cancelled while it is read and nothing is run.
    package func onCancel(_ action: (@Sendable () -> Void)?) { ticket?.onCancel(action) }

    /// It has ended.
    package func end() { ticket?.end() }
}
