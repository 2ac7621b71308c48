import Foundation
import Martlet
import MartletKeychain

/// The composition root: the one place that knows how the app reaches its server.
enum Composition {
    /// A client for the app's whole life. A test hands in a transport and time of its own.
    static func client(
        _ baseURL: URL, tokens: any TokenProvider, transport: any Transport = PlatformTransport(), time: any TimeSource = .system,
        log: LogSink = .platform
    ) -> HTTPClient {
        var standard = StandardInterceptors(
            logging: LoggingInterceptor(detail: .headers, to: log),
            headers: HeadersInterceptor.app(AppMetadata(name: "Birds", version: "2.1", build: "417")),
            authentication: AuthInterceptor(tokens),
            retry: RetryInterceptor(RetryPolicy(maxAttempts: 4), time: time))
        standard.idempotencyKeys = IdempotencyKeyInterceptor()
        return HTTPClient(baseURL: baseURL, transport: transport, interceptors: standard.list, time: time)
    }

    /// The user's session, which outlives the process: in the Keychain, or in the Secret Service on Linux.
    static func tokens(
        _ baseURL: URL, store: any TokenStore = SystemTokenStore(service: "com.example.birds", account: "main"),
        transport: any Transport = PlatformTransport()
    ) -> OAuth2TokenProvider {
        let server = OAuth2Client(
            id: "birds-app", tokenEndpoint: baseURL.appendingPathComponent("oauth/token"), http: HTTPClient(transport: transport))
        return OAuth2TokenProvider(server, store: store)
    }
}
