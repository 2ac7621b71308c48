internal import MartletSystem

/// A connection that is open, and closed when this is let go of.
///
/// The loop that reads it is its only owner; a timer may close it from elsewhere.
final class OpenConnection: Sendable {
    private let connection: any SubscriptionConnection
    private let state = Locked((isFresh: true, isSilent: false))

    init(_ connection: any SubscriptionConnection) { self.connection = connection }

    deinit { connection.close() }

    /// Closes the connection: what waits for its next message ends.
    func close() { connection.close() }

    /// The head of the answer.
    var response: HTTPResponse<Void>? { connection.response }

    /// Whether no result has come yet.
    var isFresh: Bool {
        get { state.withLock { $0.isFresh } }
        set { state.withLock { $0.isFresh = newValue } }
    }

    /// The next message; nil when the connection has ended. One that is silent for too long is closed, and throws `.http(.timeout)`.
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
            // What has come all the same is given; the next time there is nothing.
            if case .success(let message?) = outcome { return message }
            let request = connection.response?.metadata.request
            throw .http(.timeout(ErrorContext(request: request, stage: .body, detail: "nothing came for the idle timeout of \(limit)")))
        }
        return try outcome.get()
    }

    private func fallSilent() {
        state.withLock { $0.isSilent = true }
        connection.close()
    }
}
