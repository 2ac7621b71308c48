internal import MartletSystem

/// A provider shared by concurrent calls. It is called once for all calls that need the same replacement, and its failures become typed
/// errors.
package final class TokenSource: Sendable {
    /// The result of requesting a replacement.
    private enum Outcome: Sendable {
        case token(AccessToken?)
        case failure(Failure)
    }

    private struct Failure: Sendable {
        /// The token that could not be replaced.
        let token: String
        /// The sequence number of the failure, by which a call knows whether it happened after the call was sent.
        let number: Int
        let error: any Error
    }

    private struct State {
        var failures = 0
        var last: Failure?
    }

    private let provider: any TokenProvider
    private let ready: (any ReadyTokenProvider)?
    private let timeout: Duration
    private let time: any TimeSource
    private let flights = SingleFlight<String, Outcome>()
    private let state = Locked(State())

    package init(_ provider: any TokenProvider, timeout: Duration, time: any TimeSource) {
        self.provider = provider
        ready = provider as? any ReadyTokenProvider
        self.timeout = timeout
        self.time = time
    }

    /// Whether the current task runs within a call of the provider.
    var isAskedByThisTask: Bool { ProviderScope.contains(self) }

    /// The number of renewals that have failed so far: see ``replacement(for:sentAt:)``.
    var moment: Int { state.withLock { $0.failures } }

    /// The provider's token if it is in memory and valid, and otherwise nil: call ``current()``.
    var atHand: AccessToken? { ready?.tokenAtHand(time: time) }

    /// Returns the token to send.
    func current() async throws(HTTPError) -> AccessToken? {
        do { return try await ProviderScope.within(self, time: time) { try await provider.token() } } catch {
            throw failed(error, "the token provider could not return a token")
        }
    }

    /// Returns the token to send outside a request, with a handle that renews it; nil if the provider has no token.
    package func credential() async throws(HTTPError) -> (token: AccessToken, sent: SentCredential)? {
        let moment = moment
        let ready = atHand
        guard let token = if let ready { ready } else { try await current() } else { return nil }
        let sent = SentCredential(isRenewed: false) { question async throws(HTTPError) in
            if question == .isCurrent { return await self.isCurrent(token) }
            guard let replacement = try await self.replacement(for: token, sentAt: moment) else { return false }
            return replacement.value != token.value
        }
        return (token, sent)
    }

    /// Whether the provider's token is this one, or another one of the same known session.
    func isCurrent(_ token: AccessToken) async -> Bool {
        let ready = atHand
        guard let current = if let ready { ready } else { try? await current() } else { return false }
        return current.value == token.value || token.session != nil && current.session == token.session
    }

    /// Returns a replacement for a rejected token, for a call that was sent at `moment`.
    ///
    /// If a renewal of the same token has failed since then, it has failed for this call as well, whenever its 401 arrives.
    func replacement(for rejected: AccessToken, sentAt moment: Int) async throws(HTTPError) -> AccessToken? {
        while true {
            let outcome: Outcome
            do {
                outcome = try await flights.value(for: rejected.value) { await self.renewal(of: rejected, sentAt: moment) }
            } catch { throw failed(error, "the token could not be renewed") }
            switch outcome {
            case .token(let token): return token
            // A shared result may be a failure from before this call was sent, which does not concern this call.
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

    /// Asks the provider with a time limit. Without it, a provider that never returns would block all later calls too.
    private func answer(for rejected: AccessToken) async throws -> AccessToken? {
        let timeout = timeout
        return try await race(
            { () async throws(HTTPError) -> Result<AccessToken?, any Error> in
                do {
                    return .success(try await ProviderScope.within(self, time: self.time) { try await self.ask(for: rejected) })
                } catch { return .failure(error) }
            }, until: time.instant + timeout, time: time
        ) { ErrorContext(detail: "the token provider returned no token within \(timeout.shortText)") }.get()
    }

    private func ask(for rejected: AccessToken) async throws -> AccessToken? {
        // A StoredTokenProvider compares the tokens itself. Calling its `token()` first could renew the token, fail, and renew it again.
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
        // The description of an HTTPError contains only its own cause, so that of this error is added here.
        return HTTPError.authenticationFailed(
            Explanation(what, context: ErrorContext(stage: .interceptor, underlying: error, detail: "\(error)")))
    }

    /// Returns the error that callers and error mappers look for, extracted from the errors of Martlet's providers and clients.
    private static func cause(of error: any Error) -> any Error {
        switch error {
        case TokenProviderError.cancelled: CancellationError()
        case let error as TokenProviderError: error.underlying.map(cause(of:)) ?? error
        case let error as TokenStoreError where error.kind == .cancelled: CancellationError()
        default: HTTPError.cause(of: error) ?? error
        }
    }
}

/// The providers that the current task is calling for a token, so that a request of a provider does not wait for itself.
///
/// A scope ends with the call. Tasks that a provider leaves running afterwards are ordinary callers.
enum ProviderScope {
    @TaskLocal private static var open: [Visit] = []

    private final class Visit: Sendable {
        let owner: ObjectIdentifier
        let time: (any TimeSource)?
        let isOpen = Locked(true)

        init(_ owner: ObjectIdentifier, _ time: (any TimeSource)?) {
            self.owner = owner
            self.time = time
        }
    }

    /// Returns whether the current task runs within a call of `owner`.
    static func contains(_ owner: AnyObject) -> Bool {
        open.contains { visit in visit.owner == ObjectIdentifier(owner) && visit.isOpen.withLock { $0 } }
    }

    /// The clock of the client whose call requests a token, or nil outside a client.
    static var time: (any TimeSource)? { open.last { $0.time != nil }?.time }

    /// Runs a closure outside all scopes.
    static func outside(_ body: () -> Void) { $open.withValue([], operation: body) }

    /// Runs a call of `owner`, which must live until it returns.
    ///
    /// - Parameter time: The clock of the client that requests the token.
    static func within<Value>(
        _ owner: AnyObject, time: (any TimeSource)? = nil, _ question: () async throws -> Value
    ) async rethrows -> Value {
        let visit = Visit(ObjectIdentifier(owner), time)
        defer { visit.isOpen.withLock { $0 = false } }
        return try await $open.withValue(open + [visit]) { try await question() }
    }
}
