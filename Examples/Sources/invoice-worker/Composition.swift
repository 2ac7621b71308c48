import Foundation
import Martlet
import MartletRedis

/// The settings of a worker. A service reads them from its environment.
struct Settings {
    var baseURL: URL
    var clientID: String
    var clientSecret: String
    var maxConcurrentJobs = 4
    var shutdownLimit = Duration.seconds(20)
    var backoff = Backoff.exponential()
}

extension Service {
    /// Creates the service with one client for the whole process, so that its connections, limits and retry budget are shared.
    ///
    /// - Parameters:
    ///   - cache: The store of the cache, which all workers of a fleet share.
    ///   - time: The clock of the shutdown's limit. Default: the system's.
    ///   - report: Called with the outcome of each job.
    init(
        _ settings: Settings, cache: any CacheStore, time: any TimeSource = .system, report: @escaping @Sendable (JobOutcome) -> Void
    ) {
        let oauth = OAuth2Client(
            id: settings.clientID, secret: settings.clientSecret,
            tokenEndpoint: settings.baseURL.appendingPathComponent("oauth/token"), http: HTTPClient())
        let tokens = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["invoices"]))

        var standard = StandardInterceptors(
            headers: HeadersInterceptor.app(AppMetadata(name: "invoice-worker", version: "1.0")),
            authentication: AuthInterceptor(tokens),
            retry: RetryInterceptor(RetryPolicy(maxAttempts: 4, backoff: settings.backoff)))
        // In shared mode, the rules of HTTP permit only responses that are meant for everyone. All workers can share those.
        standard.cache = CacheInterceptor(store: cache, settings: CacheSettings(isShared: true), scope: .everyone) { event in
            FileHandle.standardError.write(Data("cache: \(event)\n".utf8))  // the call itself continues without the cache
        }

        var transport = TransportConfiguration()
        transport.maxConnectionsPerOrigin = 8
        let client = HTTPClient(
            baseURL: settings.baseURL, transport: PlatformTransport(transport), interceptors: standard.list,
            observers: [LoggingObserver(detail: .basic, to: .standardError, from: .error)],
            configuration: .init(totalTimeout: .seconds(30), attemptTimeout: .seconds(10)))

        self.init(
            worker: Worker(partner: client, maxConcurrentJobs: settings.maxConcurrentJobs, report: report),
            limit: settings.shutdownLimit, time: time)
    }
}
