#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import NIOCore
internal import NIOSSL

/// The clients of async-http-client behind a transport: one for each event loop, and one for each proxy.
///
/// They are shut down when the transport and its last exchange are released.
final class Clients: Sendable {
    /// A client, and its place in the deal until the exchange has ended.
    struct Seat: Sendable {
        let client: AsyncHTTPClient::HTTPClient
        fileprivate var place: Int?
    }

    private let group: any EventLoopGroup
    /// The clients for requests without a proxy of ``settings``, one for each loop.
    private let direct: [AsyncHTTPClient::HTTPClient]
    private let settings: ClientSettings?
    /// The configuration of an app's client.
    private let known: AsyncHTTPClient::HTTPClient.Configuration?
    private let environment: [String: String]
    /// Returns the addresses of a name for an address policy.
    private let lookup: @Sendable (String) -> [String]?
    private let deal: Locked<LoopDeal>
    private let served = Locked(false)
    private let others = Locked<[MartletHTTP::Proxy: AsyncHTTPClient::HTTPClient]>([:])

    /// Creates clients with the settings and event loops of a client of the app.
    init(_ given: AsyncHTTPClient::HTTPClient) throws(HTTPError) {
        guard var configuration = given.knownConfiguration else {
            throw .engineUnavailable(
                "this version of async-http-client hides the configuration of a client: use AsyncHTTPClientTransport(eventLoopGroup:)"
            )
        }
        group = given.eventLoopGroup
        lookup = { SystemResolver.addresses(of: $0) }
        settings = nil
        environment = [:]
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.tracing.tracer = nil
        known = configuration
        let loops = Array(given.eventLoopGroup.makeIterator())
        let limit = configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit
        let first = LoopDeal(loops: loops.count, engines: TransportConfiguration().engines, connections: limit)
        deal = Locked(first)
        direct = Clients.team(on: loops, first, configuration, connections: limit)
    }

    /// Creates clients on the event loops of the app.
    init(
        _ group: any EventLoopGroup, _ wanted: TransportConfiguration, lookup: @escaping @Sendable (String) -> [String]?
    ) throws(HTTPError) {
        let settings = try ClientSettings(wanted)
        self.group = group
        self.lookup = lookup
        self.settings = settings
        known = nil
        environment = wanted.proxy == .environment ? ProcessInfo.processInfo.environment : [:]
        let loops = Array(group.makeIterator())
        let first = LoopDeal(loops: loops.count, engines: wanted.engines, connections: wanted.maxConnectionsPerOrigin)
        deal = Locked(first)
        direct = Clients.team(on: loops, first, settings.configuration, connections: wanted.maxConnectionsPerOrigin)
    }

    deinit {
        // They close their connections in the background.
        for client in direct + others.withLock({ Array($0.values) }) { client.shutdown { _ in } }
    }

    /// Creates one client for each loop of the deal, with its part of the limit on connections.
    private static func team(
        on loops: [any EventLoop], _ deal: LoopDeal, _ configuration: AsyncHTTPClient::HTTPClient.Configuration, connections: Int
    ) -> [AsyncHTTPClient::HTTPClient] {
        var configuration = configuration
        configuration.watchConnections()
        if connections > 0 {
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = LoopDeal.part(of: connections, of: deal.running.count)
        }
        return loops.prefix(deal.running.count).map {
            AsyncHTTPClient::HTTPClient(eventLoopGroup: $0, configuration: configuration)
        }
    }

    /// Whether a response has arrived, so that there may be connections whose server has closed them.
    var haveServed: Bool { served.withLock { $0 } }

    /// Records the arrival of a response.
    func noteResponse() { served.withLock { $0 = true } }

    /// How the clients reach servers.
    var route: ClientRoute { settings?.route ?? ClientRoute() }

    /// Returns a request as async-http-client sends it. Its body belongs to an exchange.
    func makeRequest(
        _ outgoing: OutgoingRequest, for request: HTTPRequest, _ exchange: Exchange
    ) throws(HTTPError) -> AsyncHTTPClient::HTTPClient.Request {
        let body = outgoing.body.body(on: group, for: exchange), tls = settings?.tls(for: request)
        do {
            if let url = outgoing.parsedURL {
                return try AsyncHTTPClient::HTTPClient.Request(
                    url: url, method: outgoing.method, headers: outgoing.headers, body: body, tlsConfiguration: tls)
            }
            return try AsyncHTTPClient::HTTPClient.Request(
                url: outgoing.url, method: outgoing.method, headers: outgoing.headers, body: body, tlsConfiguration: tls)
        } catch { throw ExchangeFailure(cause: error).error }
    }

    /// Returns the client for a request. Its seat is taken until ``leave(_:)``.
    func seat(for request: HTTPRequest) throws(HTTPError) -> Seat {
        guard let settings, let proxy = try proxy(for: request) else {
            let place = deal.withLock { $0.begin() }
            return Seat(client: direct[place], place: place)
        }
        if let made = others.withLock({ $0[proxy] }) { return Seat(client: made) }
        var configuration = try settings.configuration(through: proxy)
        configuration.watchConnections()
        return others.withLock { [configuration] others in
            let client = others[proxy] ?? AsyncHTTPClient::HTTPClient(eventLoopGroup: group, configuration: configuration)
            others[proxy] = client
            return Seat(client: client)
        }
    }

    /// Ends the use of a seat.
    func leave(_ seat: Seat) {
        if let place = seat.place { deal.withLock { $0.end(place) } }
    }

    /// Throws `.addressRefused` if the request's policy refuses an address of its host: see ``PriorLookup``.
    func checkAddress(of request: HTTPRequest) async throws(HTTPError) {
        guard let policy = request.context.addressPolicy else { return }
        guard route.unixSocket == nil else { return }
        let hasProxy = if let known { known.proxy != nil } else { try proxy(for: request) != nil }
        if hasProxy { return try policy.checkProxy(for: request.url) }
        let overrides = known?.dnsOverride ?? route.addresses
        let prior = PriorLookup(policy: policy) { [lookup] name in
            // The app's own names are resolved as async-http-client does.
            lookup(overrides[name] ?? overrides[name.lowercased()] ?? name)
        }
        // The client enforces the deadlines of a streamed exchange.
        let deadline = request.context.streamsBody ? nil : request.context.deadline
        let check = { @Sendable () async throws(HTTPError) in try await prior.check(request.url, until: deadline) }
        // The check has a timer of its own, but it would not learn of the end of the call.
        try await race(check, against: { _ in nil }, endedBy: request.context.call) { ErrorContext(stage: .connect) }
    }

    private func proxy(for request: HTTPRequest) throws(HTTPError) -> MartletHTTP::Proxy? {
        guard let settings, settings.route.unixSocket == nil else { return nil }
        switch settings.proxy {
        case .none, .system: return nil
        default: return try settings.proxy.proxy(for: request.url, environment: environment)
        }
    }
}
#endif
