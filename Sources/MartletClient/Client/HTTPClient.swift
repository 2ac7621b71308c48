public import MartletEssentials

/// Sends requests and gives typed answers.
///
/// ```swift
/// let client = HTTPClient(baseURL: URL(string: "https://api.example/v1"))
/// let user = try await client.send(Request<User>.get("users/\(id)"))
/// ```
///
/// A client is a cheap value that can be shared by any number of tasks; keep one per API. It has no state of its own: connections
/// belong to the transport. Its methods throw `HTTPError`, and only that; map it to your app's own error with
/// ``HTTPClientProtocol/mappingErrors(_:)``.
///
/// The journey of a call is written down in one place, `HTTPClient+Journey.swift`.
public struct HTTPClient: HTTPClientProtocol {
    let settings: Settings

    /// What a client was made with, shared by its copies.
    final class Settings: Sendable {
        let base: BaseURL?
        let encoder: any BodyEncoder
        let decoder: any BodyDecoder
        let configuration: Configuration
        let time: any TimeSource
        let chain: InterceptorChain
        let calls: CallGroup
        /// Whether the transport itself ends a buffered exchange at the total deadline and when the call is cancelled: see
        /// ``CallEndingTransport``.
        let exchangeEndsByItself: Bool

        init(
            base: BaseURL?, encoder: any BodyEncoder, decoder: any BodyDecoder, configuration: Configuration, time: any TimeSource,
            transport: any Transport, interceptors: [any Interceptor]
        ) {
            self.base = base
            self.encoder = encoder
            self.decoder = decoder
            self.configuration = configuration
            self.time = time
            chain = InterceptorChain(interceptors, exchange: Exchange(transport: transport, time: time).send)
            calls = transport.calls?.makeMember() ?? CallGroup()
            exchangeEndsByItself =
                transport.endsByDeadline && transport is any CallEndingTransport && interceptors.isEmpty && time is SystemTime
        }
    }

    /// A client over a transport of your choice. `import Martlet` adds initialisers that pick the platform's own.
    ///
    /// - Parameters:
    ///   - baseURL: the URL that paths are relative to: `http` or `https`, optionally with a path and a query. If the URL cannot be a base,
    ///     requests fail with `.invalidURL`. If it is nil, which `URL(string:)` returns for a malformed string, requests with a path fail
    ///     with `.invalidURL`.
    ///   - transport: performs the exchanges.
    ///   - interceptors: wrap each exchange; the first is the outermost.
    ///   - encoder: for bodies, queries and forms. Default: `.json`.
    ///   - decoder: for answers. Default: `.json`.
    ///   - configuration: times, sizes and defaults.
    ///   - time: for deadlines; tests hand in a `ManualTime`.
    public init(
        baseURL: URL? = nil, transport: any Transport, interceptors: [any Interceptor] = [], encoder: any BodyEncoder = .json,
        decoder: any BodyDecoder = .json, configuration: Configuration = Configuration(), time: any TimeSource = .system
    ) {
        settings = Settings(
            base: baseURL.map(BaseURL.init), encoder: encoder, decoder: decoder, configuration: configuration, time: time,
            transport: transport, interceptors: interceptors)
    }

    /// What paths are below.
    public var baseURL: URL? { settings.base?.url }

    /// What answers are decoded with.
    public var decoder: any BodyDecoder { settings.decoder }

    /// What deadlines are measured with.
    public var time: any TimeSource { settings.time }

    /// The running calls of this client and its copies. They are also calls of its transport.
    public var calls: CallGroup? { settings.calls }

    /// The interceptors that wrap each exchange.
    package var interceptors: [any Interceptor] { settings.chain.interceptors }

    /// The client's times, sizes and defaults.
    public var configuration: Configuration { settings.configuration }
}
