internal import MartletSystem

/// An open connection that is closed when this object is released.
///
/// The loop that reads it is its only owner. A timer may close it concurrently.
final class OpenConnection: Sendable {
    private let connection: any SubscriptionConnection
    private let state = Locked((isFresh: true, isSilent: false))

    init(_ connection: any SubscriptionConnection) { self.connection = connection }

    deinit { connection.close() }

    /// Closes the connection and ends a pending ``next(within:time:)``, without keeping the connection open.
    var interruption: @Sendable () -> Void { { [weak self] in self?.connection.close() } }

    /// The head of the response.
    var response: HTTPResponse<Void>? { connection.response }

    /// Whether no result has arrived yet.
    var isFresh: Bool {
        get { state.withLock { $0.isFresh } }
        set { state.withLock { $0.isFresh = newValue } }
    }

    /// Returns the next message, or nil at the end of the connection. If none arrives within the limit, closes the connection and throws
    /// `.http(.timeout)`.
    func next(within limit: Duration?, time: any TimeSource) async throws(GraphQLError) -> SubscriptionMessage? {
        let timer = limit.map { limit in
            time.timer(at: time.instant + limit) { [weak self] in self?.fallSilent() }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler { () async -> Result<SubscriptionMessage?, GraphQLError> in
            do throws(GraphQLError) { return .success(try await connection.next()) } catch { return .failure(error) }
        } onCancel: {
            connection.close()
        }
        if let limit, state.withLock({ $0.isSilent }) {
            // A message that arrived just in time is returned. The next call then throws.
            if case .success(let message?) = outcome { return message }
            let request = connection.response?.metadata.request
            throw .http(
                .timeout(ErrorContext(request: request, stage: .body, detail: "no message arrived within the idle timeout of \(limit)")))
        }
        return try outcome.get()
    }

    private func fallSilent() {
        state.withLock { $0.isSilent = true }
        connection.close()
    }
}
