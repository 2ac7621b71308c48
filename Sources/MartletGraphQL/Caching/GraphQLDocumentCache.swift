internal import MartletEssentials
internal import MartletSystem

/// Answers to queries, each whole and under its document and variables, for a while and until a mutation touches a type that is in it.
///
/// ```swift
/// let cache = GraphQLDocumentCache(timeToLive: .seconds(60))
/// let graphQL = GraphQLClient(http, configuration: .init(cache: cache))
/// let data = try await graphQL.execute(HeroQuery(id: "1"))                     // asks the server
/// let again = try await graphQL.execute(HeroQuery(id: "1"))                    // does not
/// _ = try await graphQL.execute(RenameHero(id: "1", name: "Leia"))             // a mutation that answers with a Hero
/// let renamed = try await graphQL.execute(HeroQuery(id: "1"))                  // asks again
/// ```
///
/// Only responses without errors are stored. The cache reads the types in a response from `__typename`, which the client adds to the
/// document. Data types that keep every member, such as dictionaries, therefore contain it too. A response to a query sent before an
/// invalidation is not stored after it. Requests with different fields (including `Authorization` and `Host`), or with a different
/// ``GraphQLClient/Configuration/scope``, have separate responses.
///
/// Without a scope, nothing is stored or used if a credential may be added after the call is made: by an ``AuthInterceptor``, unless the
/// call has its own credential; by a `HeadersInterceptor` with a secret field; by any interceptor of your own, whatever it adds; or by an
/// `HTTPClientProtocol` of your own. Set the scope to the user's name to store responses for each user, or to a constant in an app without
/// users: `scope: { "everyone" }`.
///
/// Documents that are sent by an id of a safelist are sent as they are: write `__typename` in them yourself, or name the types by
/// ``GraphQLCallOptions/cacheTypes``. Queries in a batch, and subscriptions, are neither answered from here nor kept.
///
/// Past a limit, what was not used for longest goes.
public final class GraphQLDocumentCache: Sendable {
    /// What an answer is kept under.
    struct Key: Hashable, Sendable {
        /// Where the server's GraphQL is.
        let target: String
        /// Document, operation name, variables and extensions, as JSON.
        let payload: Data
        /// The fields without credentials.
        let headers: HTTPFields
        /// The name of the user; empty if the app does not set a scope.
        let scope: String
        /// A digest of the credentials that the call itself sets.
        var credentials = ""

        /// About how many bytes it takes.
        var size: Int { payload.count + target.utf8.count + scope.utf8.count }
    }

    /// When a query was asked: what was invalidated since makes its answer old.
    struct Moment: Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let response: HTTPResponse<Data>
        let types: Set<String>
        let stored: ContinuousClock.Instant
        let expires: ContinuousClock.Instant
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        /// Counts uses and invalidations.
        var clock = 0
        /// When each type was last invalidated.
        var invalidations: [String: Int] = [:]
        /// When something was last invalidated.
        var lastInvalidation = 0
        /// What was asked before this is not kept.
        var floor = 0

        mutating func tick() -> Int {
            clock += 1
            return clock
        }

        mutating func remove(_ key: Key) {
            if let entry = entries.removeValue(forKey: key) { bytes -= entry.response.body.count + key.size }
        }
    }

    private let state = Locked(State())
    private let timeToLive: Duration
    private let maxEntries: Int
    private let maxBytes: Int
    private let time: InheritedTime

    /// How many types' invalidations are remembered one by one.
    private static let typeLimit = 10_000

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - timeToLive: how long a response is fresh. Default: 5 minutes.
    ///   - maxEntries: the maximum number of responses. Default: 500.
    ///   - maxBytes: the maximum size of all responses, with their documents and variables, in bytes. A response larger than an eighth of it is
    ///     not kept. Default: 16 MiB.
    ///   - time: the clock that measures freshness. Default: nil, that of the client that used the cache last.
    public init(
        timeToLive: Duration = .seconds(300), maxEntries: Int = 500, maxBytes: Int = 16 << 20, time: (any TimeSource)? = nil
    ) {
        self.timeToLive = timeToLive
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
        self.time = InheritedTime(time)
    }

    /// How many answers are kept, fresh or not.
    public var count: Int { state.withLock { $0.entries.count } }

    /// How many bytes the answers have, with the documents and variables that they are kept under.
    public var byteCount: Int { state.withLock { $0.bytes } }

    /// Forgets every answer in which one of these types is, and does not keep those that are under way.
    public func invalidate(types: Set<String>) {
        guard !types.isEmpty else { return }
        state.withLock { state in
            let now = state.tick()
            state.lastInvalidation = now
            for type in types { state.invalidations[type] = now }
            if state.invalidations.count > GraphQLDocumentCache.typeLimit {
                state.invalidations = [:]
                state.floor = now
            }
            for (key, entry) in state.entries where !entry.types.isDisjoint(with: types) { state.remove(key) }
        }
    }

    /// Forgets every answer, and does not keep those that are under way.
    public func removeAll() {
        state.withLock { state in
            state.floor = state.tick()
            state.lastInvalidation = state.floor
            state.entries = [:]
            state.bytes = 0
            state.invalidations = [:]
        }
    }

    // MARK: For the client

    /// Uses the clock of the client that uses the cache, unless it has its own.
    func adopt(_ time: any TimeSource) { self.time.adopt(time) }

    var lastInvalidation: Int { state.withLock { $0.lastInvalidation } }

    var moment: Moment { state.withLock { Moment(number: $0.tick()) } }

    /// The answer that is kept, and its age; nil when there is none, or it is no longer fresh and must be.
    func answer(for key: Key, freshOnly: Bool) -> (response: HTTPResponse<Data>, age: Duration)? {
        let now = time.instant
        return state.withLock { state in
            guard let entry = state.entries[key], !freshOnly || now < entry.expires else { return nil }
            let use = state.tick()
            state.entries[key]?.lastUse = use
            return (entry.response, entry.stored.duration(to: now))
        }
    }

    /// Keeps an answer, unless it is too large or something in it was invalidated since it was asked for.
    func store(_ response: HTTPResponse<Data>, types: Set<String>, for key: Key, timeToLive: Duration?, since moment: Moment) {
        let size = response.body.count + key.size
        guard size <= maxBytes / 8 else { return }
        // Whoever asked, and with what credential, is not for whoever is answered from here; nor are cookies.
        var kept = HTTPResponse(status: response.status, headers: response.headers, body: response.body)
        kept.headers.remove(.setCookie)
        let now = time.instant
        let expires = now + (timeToLive ?? self.timeToLive)
        state.withLock { state in
            guard moment.number > state.floor, types.allSatisfy({ state.invalidations[$0] ?? 0 < moment.number }) else { return }
            state.remove(key)
            state.entries[key] = Entry(response: kept, types: types, stored: now, expires: expires, lastUse: state.tick())
            state.bytes += size
            makeRoom(&state)
        }
    }

    private func makeRoom(_ state: inout State) {
        while state.entries.count > max(0, maxEntries) || state.bytes > maxBytes {
            guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
            state.remove(oldest)
        }
    }
}
