internal import MartletEssentials
internal import MartletSystem

/// One stored token: loaded for each request and refreshed once for all calls that need it.
final class TokenSession: Sendable {
    struct Settings: Sendable {
        let store: any TokenStore
        let leeway: Duration
        let timeout: Duration
        /// An empty log with the limit on refreshes.
        let log: RefreshLog
        let time: InheritedTime
        /// Whether the renewal can create a token without a stored one.
        var startsAnew = false
        /// Returns a replacement for the stored token. Nil if tokens are not renewed.
        let renew: (@Sendable (AccessToken?) async throws -> AccessToken)?
        let ends: SessionEnds
    }

    /// The reason of a renewal.
    private enum Cause: Sendable {
        case staleness
        case rejection(of: String)
    }

    /// The outcome of a renewal.
    private struct Renewal: Sendable {
        let token: AccessToken?
        /// The token that was renewed, or nil if no renewal was necessary.
        var replaced: String?
    }

    private struct State {
        /// The number of sign-ins and sign-outs, and the token of the last one.
        var generation = 0
        var signedIn: AccessToken?
        /// The last renewal that was started, and the time until which later ones wait for it if it exceeds its timeout.
        var running: (task: Task<Renewal, any Error>, until: ContinuousClock.Instant)?
        /// The time until which a valid token is not renewed again.
        var pausesUntil: ContinuousClock.Instant?
        /// The failure of a renewal whose server has asked to wait, and until when.
        var asksToWait: (failure: TokenProviderError, until: ContinuousClock.Instant)?
        /// The token of the session whose end was reported last.
        var lastReported: String?
        /// A token that could not be saved, and the token that it replaces.
        var unsaved: (token: AccessToken, replaced: String?)?
        /// The token of an ended session that could not be removed from the store.
        var ended: (token: String, error: SessionEndedError)?
        /// The recent refreshes that rejections caused.
        var log: RefreshLog
    }

    let settings: Settings
    private let flights = SingleFlight<Int, Renewal>()
    private let memory: TokenMemory
    private let state: Locked<State>

    init(_ settings: Settings) {
        self.settings = settings
        memory = TokenMemory(settings.store)
        state = Locked(State(log: settings.log))
    }

    /// How long a call waits for the renewal of a token that is still valid, and for how long that token is used after a failed renewal.
    private static let patience = Duration.seconds(2)
    private static let pause = Duration.seconds(5)
    /// The longest wait that a server's `Retry-After` can ask for.
    private static let longestWait = Duration.seconds(60)

    /// Returns the token to send, renewed if it is about to expire.
    func token() async throws -> AccessToken? {
        // Requests of the renewal itself are sent without a token, because the stored one may have expired.
        if ProviderScope.contains(self) { return nil }
        inheritTime()
        let kept = try await memory.load()
        guard settings.renew != nil, needsRenewal(kept) else { return kept }
        guard let kept, !kept.isStale(at: settings.time.now, leeway: .zero) else { return try await renewed(.staleness).token }
        return try await renewedEarly(kept)
    }

    /// Returns the token to send if it is in memory and needs no renewal, and otherwise nil.
    func tokenAtHand(time: any TimeSource) -> AccessToken? {
        if ProviderScope.contains(self) { return nil }
        settings.time.adopt(time)
        guard case .some(.some(let kept)) = memory.cached, settings.renew == nil || !needsRenewal(kept) else { return nil }
        return kept
    }

    /// Returns the renewed token, or the still valid one if the renewal fails or takes too long.
    private func renewedEarly(_ kept: AccessToken) async throws -> AccessToken? {
        let now = settings.time.instant
        let pauses = state.withLock { state in
            state.unsaved == nil && state.ended == nil && state.pausesUntil.map { now < $0 } ?? false
        }
        if pauses { return kept }
        do {
            return try await race(
                { () async throws(HTTPError) -> Result<AccessToken?, any Error> in
                    do { return .success(try await self.renewed(.staleness).token) } catch { return .failure(error) }
                }, until: now + TokenSession.patience, time: settings.time
            ) { ErrorContext() }.get()
        } catch {
            if error is SessionEndedError || Task.isCancelled { throw error }
            state.withLock { $0.pausesUntil = now + TokenSession.pause }
            return kept
        }
    }

    /// Stores the token of a new session, which gets its own ID. A running renewal of the old session does not replace it.
    func signIn(_ token: AccessToken) async throws(TokenStoreError) {
        var token = token
        token.session = token.session ?? SystemRandom().uuid()
        try await begin(with: token)
    }

    /// Removes the token. A running renewal does not restore it.
    func signOut() async throws(TokenStoreError) { try await begin(with: nil) }

    private func begin(with token: AccessToken?) async throws(TokenStoreError) {
        state.withLock { state in
            state.generation += 1
            state.signedIn = token
            state.unsaved = nil
            state.ended = nil
            state.pausesUntil = nil
            state.asksToWait = nil
            state.log = settings.log
        }
        settings.ends.forget()
        try await settings.store.keep(token)
    }

    /// Restores the token of a sign-in, or the sign-out, that happened since a renewal began and may have been overwritten. Returns nil if
    /// there was none.
    private func signedIn(since generation: Int) async throws -> Renewal? {
        let (isNew, token) = state.withLock { ($0.generation != generation, $0.signedIn) }
        guard isNew else { return nil }
        try await settings.store.keep(token)
        return Renewal(token: token)
    }

    /// Returns a replacement for a rejected token.
    func token(replacing rejected: AccessToken) async throws -> AccessToken? {
        inheritTime()
        guard settings.renew != nil else {
            let kept = try await memory.reload()
            return kept?.value == rejected.value || kept?.session != rejected.session ? nil : kept
        }
        guard !ProviderScope.contains(self) else { throw RefreshWithinRefreshError() }
        var renewal = try await renewed(.rejection(of: rejected.value))
        // A renewal that was already running may have renewed the previous token and returned the rejected one.
        if renewal.token?.value == rejected.value, renewal.replaced != rejected.value {
            renewal = try await renewed(.rejection(of: rejected.value))
        }
        // A request of the previous session must not be sent with the token of the new one.
        return renewal.token?.session == rejected.session ? renewal.token : nil
    }

    private func renewed(_ cause: Cause) async throws -> Renewal {
        // Only one renewal runs at a time, whatever its token: a late rejection of an old token waits for the renewal of the newer one.
        let wait = { @Sendable in try await self.flights.value(for: 0) { try await self.timed(cause) } }
        // The call of a client ends its own wait at its deadline.
        guard ProviderScope.time == nil else { return try await wait() }
        return try await TaskDeadline.bound(time: settings.time) { try await wait() }
    }

    /// Runs a renewal with a time limit.
    ///
    /// A renewal that ends after its limit is still stored, unless another token was stored meanwhile. The next renewal waits for it for a
    /// second period, because both would use the same refresh token.
    private func timed(_ cause: Cause) async throws -> Renewal {
        let timeout = settings.timeout
        return try await race(
            { () async throws(HTTPError) -> Result<Renewal, any Error> in
                if let running = self.state.withLock({ $0.running }), self.settings.time.instant < running.until {
                    _ = await running.task.result
                }
                if Task.isCancelled { return .failure(CancellationError()) }
                let task = Task { try await self.renewal(cause) }
                self.state.withLock { $0.running = (task, self.settings.time.instant + timeout + timeout) }
                return await task.resultCancelledByCaller()
            }, until: settings.time.instant + timeout, time: settings.time
        ) { ErrorContext(detail: "the token was not refreshed within \(timeout.shortText)") }.get()
    }

    /// Uses the clock of the client whose call requests the token, unless the provider has its own.
    private func inheritTime() { if let time = ProviderScope.time { settings.time.adopt(time) } }

    private func needsRenewal(_ kept: AccessToken?) -> Bool {
        guard let kept else { return settings.startsAnew }
        if state.withLock({ $0.unsaved?.replaced == kept.value || $0.ended?.token == kept.value }) { return true }
        return kept.isStale(at: settings.time.now, leeway: settings.leeway)
    }

    private func renewal(_ cause: Cause) async throws -> Renewal {
        let generation = state.withLock { $0.generation }
        let kept = try await memory.reload()
        if let renewal = try await savingUnsaved(insteadOf: kept) { return renewal }
        switch cause {
        case .rejection(let rejected): guard kept?.value == rejected else { return Renewal(token: kept) }
        case .staleness: guard needsRenewal(kept) else { return Renewal(token: kept) }
        }
        if let ended = state.withLock({ $0.ended }), ended.token == kept?.value {
            try? await settings.store.keep(nil)
            throw ended.error
        }
        if let waiting = state.withLock({ $0.asksToWait }), settings.time.instant < waiting.until { throw waiting.failure }
        let isCounted = isRejection(cause) && !needsRenewal(kept)
        if isCounted { try checkLimit() }
        let fresh: AccessToken
        do throws(RefreshFailure) { fresh = completed(try await asked(kept), from: kept) } catch {
            let error = error.cause
            // A provider with client credentials has no session that could end.
            guard !settings.startsAnew, SessionEndedError.isMeant(by: error) else {
                let failure = TokenProviderError.refreshFailed(error)
                noteWait(for: failure)
                throw failure
            }
            // Another user of the same store may have used the refresh token and stored the new token.
            if let present = try? await memory.reload(), present.value != kept?.value { return Renewal(token: present) }
            let end = await end(kept, error, generation)
            if let renewal = try await signedIn(since: generation) { return renewal }
            throw end
        }
        if isCounted { state.withLock { $0.log.note(at: settings.time.instant) } }
        do {
            // A sign-in or sign-out during the renewal takes precedence.
            let present = try await memory.reload()
            guard present?.value == kept?.value else { return Renewal(token: present) }
            // The old refresh token may be used up, so the new token must not be lost if the store fails or does not respond.
            state.withLock { if $0.generation == generation { $0.unsaved = (fresh, kept?.value) } }
            try await settings.store.keep(fresh)
            state.withLock { $0.unsaved = nil }
        } catch {
            if let renewal = try await signedIn(since: generation) { return renewal }
            throw error
        }
        return try await signedIn(since: generation) ?? Renewal(token: fresh, replaced: kept?.value)
    }

    /// Records that the server has asked to wait before the next renewal (RFC 9110 §10.2.3). Until then, calls fail without asking it.
    private func noteWait(for failure: TokenProviderError) {
        guard let wait = HTTPError.cause(of: failure)?.retryAfter, wait > .zero else { return }
        state.withLock { $0.asksToWait = (failure, settings.time.instant + min(wait, TokenSession.longestWait)) }
    }

    private func isRejection(_ cause: Cause) -> Bool { if case .rejection = cause { true } else { false } }

    private func checkLimit() throws(HTTPError) {
        let (log, now) = (state.withLock { $0.log }, settings.time.instant)
        guard let wait = log.wait(at: now) else { return }
        throw .authenticationFailed(Explanation(log.explanation(wait: wait), context: ErrorContext(stage: .interceptor)))
    }

    private func asked(_ kept: AccessToken?) async throws(RefreshFailure) -> AccessToken {
        do {
            guard let renew = settings.renew else { throw RefreshWithinRefreshError() }
            return try await ProviderScope.within(self) { try await renew(kept) }
        } catch { throw RefreshFailure(cause: error) }
    }

    /// Adds the members that the token response omitted, and the time of issue.
    private func completed(_ fresh: AccessToken, from kept: AccessToken?) -> AccessToken {
        var fresh = fresh.completed(from: kept)
        if fresh.issued == nil { fresh.issued = settings.time.now }
        fresh.session = kept?.session
        return fresh
    }

    private func savingUnsaved(insteadOf kept: AccessToken?) async throws -> Renewal? {
        guard let unsaved = state.withLock({ $0.unsaved }) else { return nil }
        guard unsaved.replaced == kept?.value else {
            state.withLock { $0.unsaved = nil }
            return nil
        }
        try await settings.store.keep(unsaved.token)
        state.withLock { $0.unsaved = nil }
        return Renewal(token: unsaved.token, replaced: unsaved.replaced)
    }

    /// Removes the token and reports the end of the session, once for each session.
    private func end(_ kept: AccessToken?, _ error: any Error, _ generation: Int) async -> SessionEndedError {
        let end = SessionEndedError(meaning: error)
        do { try await settings.store.keep(nil) } catch {
            if let kept { state.withLock { $0.ended = (kept.value, end) } }
        }
        let isNews = state.withLock { state in
            // The app has begun another session meanwhile.
            guard state.generation == generation else { return false }
            defer { state.lastReported = kept?.value }
            return kept == nil || state.lastReported != kept?.value
        }
        if isNews { settings.ends.tell(end) }
        return end
    }
}

/// The error of a refresh. It may have any type, including that of a store.
private struct RefreshFailure: Error {
    let cause: any Error
}

/// The error for a refresh whose own request was rejected and would need the refreshed token.
struct RefreshWithinRefreshError: Error, CustomStringConvertible {
    var description: String { "the request that refreshes the token received a 401 itself" }
}

/// The recent refreshes that rejections caused. It depends only on its inputs.
struct RefreshLog: Sendable, Hashable {
    /// The number of refreshes allowed within the window; less than 1 allows none.
    let max: Int
    /// The period over which refreshes are counted. Zero means no limit.
    let window: Duration
    /// The times of the counted refreshes, oldest first; at most as many as the limit allows.
    private var refreshes: [ContinuousClock.Instant] = []

    init(max: Int, window: Duration) {
        self.max = max
        self.window = window
    }

    /// Returns how long to wait before the next refresh, or nil if it is allowed now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard max > 0 else { return Swift.max(.zero, window) }
        guard window > .zero, refreshes.count >= max, let oldest = refreshes.first, now < oldest + window else { return nil }
        return oldest + window - now
    }

    /// Records a refresh that a rejection caused.
    mutating func note(at now: ContinuousClock.Instant) {
        guard window > .zero else { return }
        refreshes.removeAll { $0 + window <= now }
        refreshes.append(now)
        if refreshes.count > Swift.max(0, max) { refreshes.removeFirst() }
    }

    /// Returns a description of why a token is not refreshed.
    func explanation(wait: Duration) -> String {
        guard max > 0 else { return "the server rejected the token, and maxRefreshes is 0: it is not refreshed" }
        return "the server rejected \(max) refreshed tokens within \(window.shortText): not refreshed again for \(wait.shortText)"
    }
}
