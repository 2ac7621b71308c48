public import MartletEssentials

extension HTTPClient {
    /// Creates a client over the platform's transport: libcurl on Linux, URLSession on Apple platforms. All such clients of a process share
    /// it.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to: `http` or `https`, optionally with a path and a query. Requests with a path fail
    ///     with `.invalidURL` if the URL can't be a base or is nil, which `URL(string:)` returns for a malformed string.
    ///   - interceptors: The interceptors around each exchange. The first is the outermost. Default: none.
    ///   - observers: The observers of every call. Default: none.
    ///   - encoder: The encoder for bodies, queries and forms. Default: `.json`.
    ///   - decoder: The decoder for responses. Default: `.json`.
    ///   - configuration: The time limits, size limits and default header fields.
    ///   - time: The clock for deadlines. Interceptors, token providers, caches, downloads, event streams and GraphQL clients also use it
    ///     unless they have their own. Default: the system's.
    ///   - random: The random numbers for the jitter of waits. Interceptors also use it unless they have their own, except for keys and
    ///     names that must be unique. Default: the system's.
    public init(
        baseURL: URL? = nil, interceptors: [any Interceptor] = [], observers: [any CallObserver] = [],
        encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json, configuration: Configuration = Configuration(),
        time: any TimeSource = .system, random: any RandomSource = .system
    ) {
        self.init(
            baseURL: baseURL, transport: PlatformTransport().transport, interceptors: interceptors, observers: observers,
            encoder: encoder, decoder: decoder, configuration: configuration, time: time, random: random)
    }
}
