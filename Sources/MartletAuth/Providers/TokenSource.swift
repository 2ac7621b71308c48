internal import MartletSystem

/// A provider as many calls at once see it: asked once for all that need the same, its failures given their type.
final class TokenSource: Sendable {
    /// What asking for a replacement gave.
    private enum Outcome: Sendable {
        case token(AccessToken?)
        case failure(Failure)
    }

    private struct Failure: Sendable {
        /// The token that could not be replaced.
        let token: String
        /// Failures are counted, so that a call knows which came after it was sent.
        let number: Int
        let error: any Error
    }

    private struct State {
        var failures = 0
        var last: Failure?
    }

    private let provider: any TokenProvider
    private let timeout: Duration
    private let time: any TimeSource
    private let flights = SingleFlight<String, Outcome>()
    private let state = Locked(State())

    init(_ provider: any TokenProvider, timeout: Duration, time: any TimeSource) {
        self.provider = provider
        self.timeout = timeout
        self.time = time
    }

    /// Whether the task at hand runs within a question to the provider.
    var isAskedByThisTask: Bool { ProviderScope.contains(self) }

    /// How many renewals had failed by now: see ``replacement(for:sentAt:)``.
    var moment: Int { state.withLock { $0.failures } }

    /// The token to send.
    func current() async throws(HTTPError) -> AccessToken? {
        do { return try await ProviderScope.within(self, time: time) { try await provider.token() } } catch {
            throw failed(error, "no token could be got")
        }
    }

    /// A token in place of one that was refused, for a call that was sent at `moment`.
    ///
    /// A renewal of the same token that failed after that has failed for this call as well, whenever its 401 arrives.
    func replacement(for rejected: AccessToken, sentAt moment: Int) async throws(HTTPError) -> AccessToken? {
        while true {
            let outcome: Outcome
            do {
                outcome = try await flights.value(for: rejected.value) { await self.renewal(of: rejected, sentAt: moment) }
            } catch { throw failed(error, "the token could not be renewed") }
            switch outcome {
            case .token(let token): return token
            // Told to whoever came first, of a failure from before this call: not its own.
            case .failure(let failure) where failure.number <= moment: continue
            case .failure(let failure): throw failed(failure.error, "the token could not be renewed")
            }
        }
    }

    private func renewal(of rejected: AccessToken, sentAt moment: Int) async -> Outcome {
        if let last = state.withLock({ $0.last }), last.token == rejected.value, last.number > moment { return .failure(last) }
        do {
            return .token(try await answer(for: rejected))
        } catch {
            return .failure(
                state.withLock { state in
                    state.failures += 1
                    let failure = Failure(token: rejected.value, number: state.failures, error: error)
                    state.last = failure
                    return failure
                })
        }
    }

    /// What the provider answers in time: one that never does would keep all the calls to come waiting for it as well.
    private func answer(for rejected: AccessToken) async throws -> AccessToken? {
        let timeout = timeout
        return try await race(
            { () async throws(HTTPError) -> Result<AccessToken?, any Error> in
                do {
                    return .success(try await ProviderScope.within(self, time: self.time) { try await self.ask(for: rejected) })
                } catch { return .failure(error) }
            }, until: time.instant + timeout, time: time
        ) { ErrorContext(detail: "the provider gave no token within \(timeout)") }.get()
    }

    private func ask(for rejected: AccessToken) async throws -> AccessToken? {
        // A provider of ours compares by itself; asked for its token first, it might renew it, fail, and be asked again.
        if provider is StoredTokenProvider { return try await provider.token(replacing: rejected) }
        switch AuthDecision.rejected(rejected, current: try await provider.token()) {
        case .renew: return try await provider.token(replacing: rejected)
        case .use(let current): return current
        case .none: return nil
        }
    }

    private func failed(_ error: any Error, _ what: String) -> HTTPError {
        let error = TokenSource.cause(of: error)
        if error is CancellationError, Task.isCancelled { return .cancelled(ErrorContext(stage: .interceptor, underlying: error)) }
        guard let error = error as? HTTPError else {
            return HTTPError.authenticationFailed(Explanation(what, context: ErrorContext(stage: .interceptor, underlying: error)))
        }
        if case .cancelled = error, Task.isCancelled { return error }
        if case .authenticationFailed = error { return error }
        // An HTTPError tells its own cause only: this one is told here.
        return HTTPError.authenticationFailed(
            Explanation(what, context: ErrorContext(stage: .interceptor, underlying: error, detail: "\(error)")))
    }

    /// The error that callers and mappers of errors look for, out of the errors of our own providers and clients.
    private static func cause(of error: any Error) -> any Error {
        switch error {
        case TokenProviderError.cancelled: CancellationError()
        case let error as TokenProviderError: error.underlying.map(cause(of:)) ?? error
        case let error as TokenStoreError where error.kind == .cancelled: CancellationError()
        default: HTTPError.cause(of: error) ?? error
        }
    }
}
