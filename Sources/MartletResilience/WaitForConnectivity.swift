internal import MartletSystem

#if canImport(Network)
internal import Dispatch
internal import Network
#endif

/// An interceptor that waits for a network when the device is offline, and then sends the request.
///
/// ```swift
/// var options = CallOptions(timeout: .seconds(3600))  // a background upload may wait for an hour
/// let client = HTTPClient(baseURL: url, interceptors: [RetryInterceptor(), WaitForConnectivity(atMost: .seconds(3600))])
/// ```
///
/// It acts on `HTTPError.networkError` of the kind `.offline`, if the body can be replayed. On Apple's platforms it waits until the system
/// reports a usable network, and checks at least once in each ``interval``. Elsewhere it tries again after each ``interval``.
///
/// On Linux, such a request has not reached the server, so requests of any method are sent again. On Apple's platforms, the system may
/// report a network that is lost after sending in the same way, so only requests that are idempotent are sent again.
///
/// When ``maxWait`` is over or the next try would reach the call's deadline, the last error is thrown. Place it inside retry, so that a
/// wait does not use up attempts, and outside hedging and the circuit breaker.
public struct WaitForConnectivity: Interceptor, CredentialAddingInterceptor {
    /// The longest wait for a network. Default: 60 seconds.
    public let maxWait: Duration
    /// The time between two tries. Default: 2 seconds.
    public let interval: Duration
    private let time: (any TimeSource)?

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - maxWait: The longest wait for a network. Default: 60 seconds.
    ///   - interval: The time between two tries, at least 100 ms. Default: 2 seconds.
    ///   - time: The clock. Default: nil, the client's.
    public init(atMost maxWait: Duration = .seconds(60), interval: Duration = .seconds(2), time: (any TimeSource)? = nil) {
        self.maxWait = maxWait
        self.interval = max(.milliseconds(100), interval)
        self.time = time
    }

    /// Returns true: the wait for a network ends with the call.
    public var endsByDeadline: Bool { true }

    /// Sends the request, and sends it again after each wait while the device is offline.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let time = time ?? request.context.time
        var began: ContinuousClock.Instant?
        while true {
            do throws(HTTPError) {
                let response = try await next(request)
                if let began { request.context.record?.note("waited \(began.duration(to: time.instant).shortText) for a network") }
                return response
            } catch {
                guard case .networkError(let failure) = error, failure.kind == .offline, request.isReplayable,
                    WaitForConnectivity.offlineMeansUnsent || request.isIdempotent
                else { throw error }
                let now = time.instant
                let start = began ?? now
                began = start
                let end = min(start + maxWait, request.context.deadline ?? start + maxWait)
                guard now + interval < end else { throw error }
                try await request.context.endingWithCall { () throws(HTTPError) in try await pause(request, time) }
            }
        }
    }

    /// Whether a request that failed with `.offline` is known not to have reached the server.
    private static var offlineMeansUnsent: Bool {
        #if canImport(Darwin)
        false
        #else
        true
        #endif
    }

    private func pause(_ request: HTTPRequest, _ time: any TimeSource) async throws(HTTPError) {
        do {
            #if canImport(Network)
            try await NetworkPath.waitUntilUsable(atMost: interval, time: time)
            #else
            try await time.sleep(for: interval)
            #endif
        } catch {
            throw .cancelled(ErrorContext(request: request, stage: .interceptor, detail: "while waiting for a network"))
        }
    }
}

#if canImport(Network)
/// The system's view of the network.
enum NetworkPath {
    /// The shortest wait, so that a network that is usable for the system only does not lead to a loop without pauses.
    private static let minWait = Duration.milliseconds(100)

    /// Waits until the system reports a usable network, or until the time is over.
    static func waitUntilUsable(atMost limit: Duration, time: any TimeSource) async throws(CancellationError) {
        try await time.sleep(for: min(minWait, limit))
        let isOver = OneShot<Bool>()
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in if path.status == .satisfied { isOver.set(true) } }
        monitor.start(queue: DispatchQueue(label: "martlet.network-path"))
        defer { monitor.cancel() }
        let timer = time.timer(at: time.instant + limit) { isOver.set(true) }
        defer { timer.cancel() }
        let isComplete = await withTaskCancellationHandler {
            await isOver.value()
        } onCancel: {
            isOver.set(false)
        }
        if !isComplete { throw CancellationError() }
    }
}
#endif
