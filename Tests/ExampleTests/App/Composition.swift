import Foundation
import Martlet
import MartletKeychain

/// The composition root: the only place that knows how the app reaches its server.
enum Composition {
    /// Creates the client that the app uses for its whole life. Tests pass their own transport and time.
    static func client(
        _ baseURL: URL, tokens: any TokenProvider, transport: any Transport = PlatformTransport(), time: any TimeSource = .system,
        log: LogSink = .platform
    ) -> HTTPClient {
        var standard = StandardInterceptors(
            headers: HeadersInterceptor.app(AppMetadata(name: "Birds", version: "2.1", build: "417")),
            authentication: AuthInterceptor(tokens),
            retry: RetryInterceptor(RetryPolicy(maxAttempts: 4), time: time))
        standard.idempotencyKeys = IdempotencyKeyInterceptor()
        return HTTPClient(
            baseURL: baseURL, transport: transport, interceptors: standard.list,
            observers: [LoggingObserver(detail: .headers, to: log)], time: time)
    }

    /// Creates the provider of the user's tokens. They survive the process: in the keychain, or in the Secret Service on Linux.
    static func tokens(
        _ baseURL: URL, store: any TokenStore = SystemTokenStore(service: "com.example.birds", account: "main"),
        transport: any Transport = PlatformTransport()
    ) -> OAuth2TokenProvider {
        let server = OAuth2Client(
            id: "birds-app", tokenEndpoint: baseURL.appendingPathComponent("oauth/token"), http: HTTPClient(transport: transport))
        return OAuth2TokenProvider(server, store: store)
    }
}
