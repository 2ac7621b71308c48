internal import MartletSystem

/// The state that all requests through one cache share.
final class CacheState: Sendable {
    /// The key of a request in flight. Requests with equal keys may share one response.
    struct FlightKey: Hashable, Sendable {
        let key: CacheKey
        /// The request's values of the fields that select stored responses.
        let variant: CacheVariant
    }

    let store: any CacheStore
    let settings: CacheSettings
    let scope: CacheScope
    let time: InheritedTime
    private let random: any RandomSource
    let report: @Sendable (CacheInterceptor.Event) -> Void
    /// When targets were invalidated: a response to an earlier request is not stored.
    let invalidations = ChangeLog<String>()
    let flights = SingleFlight<FlightKey, FetchOutcome>(cancelsAbandoned: true)
    /// When the responses of requests were stored. A request that read the store earlier reads it again.
    let storedChanges = ChangeLog<FlightKey>()
    /// Requests whose responses could not be shared. Requests like them do not wait for each other.
    let unshareable = UnshareableRequests()
    /// Requests whose revalidation in the background failed recently.
    let failedRevalidations = UnshareableRequests(memory: .seconds(5))
    let revalidations = Locked<[FlightKey: Task<Void, Never>]>([:])
    /// Ends when this object is released. The store may be shared and outlive it.
    private let notices: NoticeRegistration
    private let failures = Locked(FailureReports())

    init(
        store: any CacheStore, settings: CacheSettings, scope: CacheScope, time: (any TimeSource)?,
        random: any RandomSource, report: @escaping @Sendable (CacheInterceptor.Event) -> Void
    ) {
        self.store = store
        self.settings = settings
        self.scope = scope
        self.time = InheritedTime(time)
        self.random = random
        self.report = report
        notices = store.reportNotices { report(.storeNotice($0)) }
    }

    /// Returns a name for a response.
    func makeName() -> String { random.uuid() }

    /// Returns the stored responses for a key. Empty if the store fails.
    func entries(for key: CacheKey) async -> [CacheEntry] {
        do {
            let entries = try await store.entries(for: key)
            failures.withLock { $0.succeeded() }
            return entries
        } catch {
            failed(error)
            return []
        }
    }

    /// Replaces the head of a stored response. If updates have made it larger than a head may be, the response is removed.
    func update(_ response: StoredResponse) async {
        var size = 0
        response.headers.forEachLineOfBytes { size += $0.count + $1.count + 4 }
        let most = ResponseLimits()
        guard size <= most.headBytes, response.headers.count <= most.fieldCount else { return await remove(response) }
        do { try await store.update(response) } catch { failed(error) }
    }

    /// Removes a stored response.
    func remove(_ response: StoredResponse) async {
        do { try await store.remove(response) } catch { failed(error) }
    }

    /// Removes the responses for a target, for all users. Responses to requests in flight are not stored.
    @discardableResult
    func invalidate(_ uri: String, since start: Int = 0) async -> (moment: Int, isOnlyOne: Bool) {
        let noted = invalidations.add(uri, since: start)
        do { try await store.removeAll(for: uri) } catch { failed(error) }
        return noted
    }

    func failed(_ error: CacheStoreError) {
        guard error.kind != .cancelled, !error.isOfOpening || failures.withLock({ $0.isNews(error) }) else { return }
        report(.storeFailed(error))
    }
}

/// The outcome of a request to the server, for all callers that waited for it.
struct FetchOutcome: Sendable {
    let result: Result<HTTPResponse<HTTPBody>, HTTPError>
    /// Whether the response is in the store now, so that waiting callers find it there.
    let isStored: Bool
    /// Whether another flight stored the response, so that no request was sent.
    var isEarlier = false
    /// The response for waiting callers if the store does not have it: it failed, or it is too small.
    var shared: CacheEntry?

    /// Whether the response is for its own caller only. A failed or cancelled request does not count: the next one may succeed.
    func isUnshareable(_ settings: CacheSettings) -> Bool {
        guard !isStored, shared == nil, !isFailure, case .success(let response) = result else { return false }
        let mayBeShared = response.body.length.map { $0 <= Int64(settings.maxSharedStreamBytes) } ?? false
        return response.metadata.cacheStatus?.isStored != true || !mayBeShared
    }

    /// Returns whom a failure of the flight concerns, and records it for a request that waited.
    func failure(after failures: inout SharedFailures) -> FlightDecision.Failure? {
        guard case .failure(let error) = result else { return nil }
        if case .networkError = error { return .shared }
        guard SharedFailures.concernsOnlyFirst(error) else { return nil }
        return failures.permitAnother(after: error) ? .own : .shared
    }

    /// Whether a stale response may replace the result.
    var isFailure: Bool {
        switch result {
        case .success(let response): StaleRules.isFailure(response.status)
        case .failure(let error): StaleRules.isFailure(error)
        }
    }
}

/// Remembers requests whose responses could not be shared or revalidated recently. Later ones do not wait, or are not sent, in vain.
final class UnshareableRequests: Sendable {
    private let memory: Duration
    /// The keys are hashes of the requests, to save memory. Requests with the same hash count as one.
    private let known = Locked(BoundedMap<Int, ContinuousClock.Instant>(limit: 1_000))

    init(memory: Duration = .seconds(60)) { self.memory = memory }

    func contains(_ key: CacheState.FlightKey, at now: ContinuousClock.Instant) -> Bool {
        known.withLock { $0[key.hashValue].map { now < $0 + memory } ?? false }
    }

    func add(_ key: CacheState.FlightKey, at now: ContinuousClock.Instant) {
        known.withLock { known in
            _ = known.insert(now, for: key.hashValue) { now < $0.value + memory ? .inOrder($0.value) : .atOnce }
        }
    }

    func remove(_ key: CacheState.FlightKey) { known.withLock { known in _ = known.removeValue(for: key.hashValue) } }
}

/// Records when a target was last changed: invalidated, or its response stored.
///
/// Time is counted in events. A target may be reported as changed although it is not, but never the opposite.
final class ChangeLog<Target: Hashable & Sendable>: Sendable {
    private struct State {
        var count = 0
        /// The keys are hashes of the targets, to save memory. Targets with the same hash count as one.
        var last: BoundedMap<Int, Int>
        /// At this moment, every target counts as changed: the last change of a forgotten target.
        var floor = 0

        func contains(_ target: Int, since moment: Int) -> Bool { floor > moment || (last[target] ?? 0) > moment }
    }

    private let state: Locked<State>

    /// - Parameter limit: The maximum number of targets remembered individually. The targets that changed longest ago are forgotten first.
    init(limit: Int = 10_000) { state = Locked(State(last: BoundedMap(limit: limit))) }

    /// The current moment.
    var now: Int { state.withLock { $0.count } }

    /// Records a change of `target`.
    ///
    /// - Parameter start: An earlier moment.
    /// - Returns: The moment of this change, and whether it is the target's only change since `start`.
    @discardableResult
    func add(_ target: Target, since start: Int = 0) -> (moment: Int, isOnlyOne: Bool) {
        state.withLock { state in
            let isOnlyOne = !state.contains(target.hashValue, since: start)
            state.count += 1
            for forgotten in state.last.insert(state.count, for: target.hashValue) { state.floor = max(state.floor, forgotten.value) }
            return (state.count, isOnlyOne)
        }
    }

    /// Records a change of all targets.
    func addAll() {
        state.withLock { state in
            state.count += 1
            state.floor = state.count
            state.last.removeAll()
        }
    }

    /// Whether `target` changed after `moment`.
    func contains(_ target: Target, since moment: Int) -> Bool { state.withLock { $0.contains(target.hashValue, since: moment) } }
}
