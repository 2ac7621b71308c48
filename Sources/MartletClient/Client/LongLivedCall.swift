internal import MartletSystem

/// A call that spans several requests and pauses, during which the reader's code runs: an event stream or a subscription.
///
/// It begins at the first ``check()``. It ends at the latest when it is released.
package final class LongLivedCall: Sendable {
    private enum State {
        case unbegun
        case begun(CallTicket?)
    }

    private let group: CallGroup?
    private let state = Locked(State.unbegun)

    /// Creates a call in a group. Without a group, the call cannot be cancelled through one.
    package init(_ group: CallGroup?) { self.group = group }

    deinit { ticket?.end() }

    private var ticket: CallTicket? { state.withLock { if case .begun(let ticket) = $0 { ticket } else { nil } } }

    /// Begins the call unless it has begun. Throws `.draining` if new calls are refused, and `.cancelled` if the call was cancelled.
    package func check() throws(HTTPError) {
        let hasBegun = state.withLock { if case .begun = $0 { true } else { false } }
        if !hasBegun {
            let ticket = try group?.beginCall()
            state.withLock { $0 = .begun(ticket) }
        }
        if isCancelled { throw .cancelled }
    }

    /// Whether the call was cancelled through its group.
    package var isCancelled: Bool { ticket?.isCancelled ?? false }

    /// Runs an operation that is cancelled with the call.
    package func run<Value: Sendable, Failure: Error>(
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) async -> Result<Value, Failure> {
        if let ticket { return await ticket.run(operation) }
        do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
    }

    /// Sets the action that cancels the call while no operation runs.
    package func onCancel(_ action: (@Sendable () -> Void)?) { ticket?.onCancel(action) }

    /// Ends the call.
    package func end() { ticket?.end() }
}

extension CallGroup {
    /// Registers a new call. Throws `.draining` if the group refuses new calls, and `.cancelled` if the call that it would be a part of was
    /// cancelled.
    package func beginCall() throws(HTTPError) -> CallTicket {
        let parent = CallTicket.current, ticket = begin(within: parent)
        if let parent, hasCancelled(parent) {
            ticket?.end()
            throw .cancelled
        }
        guard let ticket else { throw .draining }
        return ticket
    }
}

extension EndpointClient {
    /// Runs an operation of several requests, such as a download with its resumptions, as one call. If the call is cancelled, it waits for
    /// the operation to end.
    package func asOneCall<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let ticket = try calls?.beginCall() else { return try await operation() }
        defer { ticket.end() }
        return try await ticket.run(operation).get()
    }
}
