internal import MartletEssentials
internal import MartletSystem

/// A cache of complete query responses, keyed by document and variables. Mutations invalidate the responses that contain their types.
///
/// ```swift
/// let cache = GraphQLDocumentCache(timeToLive: .seconds(60))
/// let graphQL = GraphQLClient(http, configuration: .init(cache: cache))
/// let data = try await graphQL.execute(HeroQuery(id: "1"))                     // sends a request
/// let again = try await graphQL.execute(HeroQuery(id: "1"))                    // uses the cache
/// _ = try await graphQL.execute(RenameHero(id: "1", name: "Leia"))             // its response contains a Hero
/// let renamed = try await graphQL.execute(HeroQuery(id: "1"))                  // sends a request
/// ```
///
/// Only responses without errors are stored. The cache reads the types in a response from `__typename`, which the client adds to the
/// document. Data types that keep every member, such as dictionaries, therefore contain it too. A response to a query sent before an
/// invalidation is not stored after it. Requests with different fields (including `Authorization` and `Host`), or with a different
/// ``GraphQLClient/Configuration/scope``, have separate responses.
///
/// Without a scope, nothing is stored or used if a field that may identify the user may be added after the call is made: by an
/// `AuthInterceptor`, unless the call has its own credential; by a `HeadersInterceptor` with a field that is not known to be harmless (see
/// `HTTPClient.Configuration.harmlessFields`); by any interceptor of your own, whatever it adds; or by an `HTTPClientProtocol` of your own.
/// Set the scope to the user's name to store responses for each user, or to a constant in an app without users: `scope: { "everyone" }`.
///
/// Documents with a safelisted ID are sent unchanged: write `__typename` in them yourself, or name the types in
/// ``GraphQLCallOptions/cacheTypes``. Subscriptions and queries in a batch do not use the cache.
///
/// When a limit is exceeded, the least recently used eighth of the responses is removed, or more if the size requires it.
public final class GraphQLDocumentCache: Sendable {
    /// The key of a stored response.
    struct Key: Hashable, Sendable {
        /// The URL of the GraphQL endpoint.
        let target: String
        /// The document, operation name, variables and extensions as JSON.
        let payload: Data
        /// The header fields, except the fields that may identify the user.
        let headers: HTTPFields
        /// The name of the user; empty if the app does not set a scope.
        let scope: String
        /// To whom the response belongs, by the fields that the call itself sets.
        let identity: RequestIdentity

        /// The approximate size in bytes.
        var size: Int { payload.count + target.utf8.count + scope.utf8.count }
    }

    /// When a query was sent. A later invalidation of one of its types makes its response stale.
    struct Moment: Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let response: HTTPResponse<Data>
        let types: Set<String>
        let stored: ContinuousClock.Instant
        let expires: ContinuousClock.Instant
    }

    private struct State {
        var entries: BoundedMap<Key, Entry>
        /// The counter that orders queries and invalidations.
        var clock = 0
        /// The counter value of each type's last invalidation. The types that were invalidated longest ago are forgotten first.
        var invalidations = BoundedMap<String, Int>(limit: 10_000)
        /// The counter value of the last invalidation of any type.
        var lastInvalidation = 0
        /// Responses to queries sent at or before this counter value are not stored.
        var floor = 0

        mutating func tick() -> Int {
            clock += 1
            return clock
        }
    }

    private let state: Locked<State>
    private let timeToLive: Duration
    private let maxBytes: Int
    private let time: InheritedTime

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - timeToLive: How long a response is fresh. Default: 5 minutes.
    ///   - maxEntries: The maximum number of responses. Default: 500.
    ///   - maxBytes: The maximum size of all responses with their documents and variables, in bytes. A response larger than an eighth of it
    ///     is not stored. Default: 16 MiB.
    ///   - time: The clock that measures freshness. Default: nil, the clock of the client that used the cache last.
    public init(
        timeToLive: Duration = .seconds(300), maxEntries: Int = 500, maxBytes: Int = 16 << 20, time: (any TimeSource)? = nil
    ) {
        self.timeToLive = timeToLive
        self.maxBytes = maxBytes
        state = Locked(State(entries: BoundedMap(limit: maxEntries, maxCost: maxBytes)))
        self.time = InheritedTime(time)
    }

    /// The number of stored responses, fresh and stale.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The size of the stored responses with their documents and variables, in bytes.
    public var byteCount: Int { state.withLock { $0.entries.cost } }

    /// Removes every cached response that contains an object of one of these GraphQL types. Responses to running queries that contain one
    /// are not stored.
    public func invalidate(types: Set<String>) {
        guard !types.isEmpty else { return }
        state.withLock { state in
            let now = state.tick()
            state.lastInvalidation = now
            for type in types {
                for forgotten in state.invalidations.insert(now, for: type) { state.floor = max(state.floor, forgotten.value) }
            }
            state.entries.removeAll { !$0.value.types.isDisjoint(with: types) }
        }
    }

    /// Removes every cached response. Responses to running queries are not stored.
    public func removeAll() {
        state.withLock { state in
            state.floor = state.tick()
            state.lastInvalidation = state.floor
            state.entries.removeAll()
            state.invalidations.removeAll()
        }
    }

    // MARK: For the client

    /// Uses the clock of the client that uses the cache, unless it has its own.
    func adopt(_ time: any TimeSource) { self.time.adopt(time) }

    var lastInvalidation: Int { state.withLock { $0.lastInvalidation } }

    var moment: Moment { state.withLock { Moment(number: $0.tick()) } }

    /// Returns the stored response and its age, or nil if none is stored or if it is stale and `freshOnly` is set.
    func answer(for key: Key, freshOnly: Bool) -> (response: HTTPResponse<Data>, age: Duration)? {
        let now = time.instant
        return state.withLock { state in
            guard let entry = state.entries[key], !freshOnly || now < entry.expires else { return nil }
            return state.entries.use(key) { _ in (entry.response, entry.stored.duration(to: now)) }
        }
    }

    /// Stores a response, unless it is too large or one of its types was invalidated after the query was sent.
    func store(_ response: HTTPResponse<Data>, types: Set<String>, for key: Key, timeToLive: Duration?, since moment: Moment) {
        let size = response.body.count + key.size
        guard size <= maxBytes / 8 else { return }
        // The stored response is for other callers: the first caller's request, credential and cookies are left out.
        var kept = HTTPResponse(status: response.status, headers: response.headers, body: response.body)
        kept.headers.remove(.setCookie)
        let now = time.instant
        let expires = now + (timeToLive ?? self.timeToLive)
        state.withLock { state in
            guard moment.number > state.floor, types.allSatisfy({ state.invalidations[$0] ?? 0 < moment.number }) else { return }
            state.entries.insert(Entry(response: kept, types: types, stored: now, expires: expires), for: key, cost: size)
        }
    }
}

/// Reads the type names in a response's data from `__typename`.
enum TypeNames {
    /// The maximum number of names.
    private static let limit = 1000

    /// Returns the names, or nil when the response cannot be read or has more names than the limit. Its types are then unknown.
    static func read(from body: Data) -> Set<String>? {
        guard let document = try? JSONValue(parsing: body) else { return nil }
        // The response to a batch is an array.
        var names: Set<String> = [], rest = (document.arrayValue ?? [document]).compactMap { $0["data"] }
        while let value = rest.popLast() {
            switch value {
            case .object(let members):
                if let name = members["__typename"]?.stringValue { names.insert(name) }
                guard names.count <= limit else { return nil }
                rest.append(contentsOf: members.values)
            case .array(let elements): rest.append(contentsOf: elements)
            default: break
            }
        }
        return names
    }
}
