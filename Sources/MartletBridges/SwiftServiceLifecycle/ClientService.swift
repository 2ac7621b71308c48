#if SwiftServiceLifecycle
public import MartletClient
public import MartletHTTP
public import ServiceLifecycle

/// A service that ends the calls of a client, or of all clients over a transport, when its group shuts down.
///
/// Create it with ``MartletClient/EndpointClient/service(within:onDrained:)`` or ``MartletHTTP/Transport/service(within:time:onDrained:)``:
///
/// ```swift
/// let group = ServiceGroup(services: [client.service(within: .seconds(20)), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// A group shuts its services down in the reverse order. Name this service before the services whose calls it ends, so that they have ended
/// when it begins to refuse calls.
///
/// | event | calls that are running | new calls |
/// |---|---|---|
/// | graceful shutdown | end by themselves until the limit, and are then cancelled | throw `HTTPError.draining` |
/// | cancellation of the group, also during a graceful shutdown | are cancelled immediately | throw `HTTPError.draining` |
///
/// `CallGroup.drain(within:time:)` defines what a call is: streams, downloads and event streams are calls until their ends. A client that
/// was shut down never accepts calls again.
public struct ClientService: Service, CustomStringConvertible {
    private let name: String
    private let calls: CallGroup?
    private let limit: Duration
    private let time: any TimeSource
    private let onDrained: @Sendable (DrainSummary) async -> Void

    init(
        _ name: String, _ calls: CallGroup?, within limit: Duration, time: any TimeSource,
        onDrained: @escaping @Sendable (DrainSummary) async -> Void
    ) {
        self.name = name
        self.calls = calls
        self.limit = limit
        self.time = time
        self.onDrained = onDrained
    }

    /// The origin of the client's base URL or the type of the transport, which a group writes to its log.
    public var description: String { name }

    /// Waits for the shutdown, and then until no call is running.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before a graceful shutdown, and `HTTPError.draining` at once if the client
    ///   was shut down before.
    public func run() async throws {
        if calls?.isDraining == true { throw HTTPError.draining }
        do { try await gracefulShutdown() } catch {
            await drain(within: .zero)
            throw error
        }
        await drain(within: limit)
    }

    private func drain(within limit: Duration) async {
        await onDrained(await calls?.drain(within: limit, time: time) ?? DrainSummary())
    }
}

extension EndpointClient {
    /// Returns a service that ends the client's calls when its `ServiceGroup` shuts down. See ``ClientService``.
    ///
    /// ```swift
    /// let service = client.service(within: .seconds(20)) { summary in
    ///     logger.info("finished: \(summary.finished), cancelled: \(summary.cancelled)")
    ///     await store.close()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long the running calls may take after a graceful shutdown began, on the client's `time`. Default: 20 seconds. It
    ///     must be less than the time after which the process is killed, which is 30 seconds in Kubernetes by default.
    ///   - onDrained: Called once at the end of the service, when no call is running any more, also after a cancellation. Save cookies,
    ///     close the stores of caches and shut down exporters here. It runs in the task of the service, which may be cancelled. Default:
    ///     does nothing.
    public func service(
        within limit: Duration = .seconds(20), onDrained: @escaping @Sendable (DrainSummary) async -> Void = { _ in }
    ) -> ClientService {
        let origin = baseURL.flatMap { Origin($0) }.map { "\($0)" }
        return ClientService("client of \(origin ?? "any origin")", calls, within: limit, time: time, onDrained: onDrained)
    }
}

extension Transport {
    /// Returns a service that ends the calls of all clients over the transport when its `ServiceGroup` shuts down. See ``ClientService``.
    ///
    /// - Parameters:
    ///   - limit: How long the running calls may take after a graceful shutdown began. Default: 20 seconds.
    ///   - time: The clock for the limit. Default: the system's.
    ///   - onDrained: Called once at the end of the service, when no call is running any more, as in
    ///     ``MartletClient/EndpointClient/service(within:onDrained:)``. Default: does nothing.
    public func service(
        within limit: Duration = .seconds(20), time: any TimeSource = .system,
        onDrained: @escaping @Sendable (DrainSummary) async -> Void = { _ in }
    ) -> ClientService {
        ClientService("clients over \(type(of: self))", calls, within: limit, time: time, onDrained: onDrained)
    }
}
#endif
