public import MartletEssentials

extension HTTPClient {
    /// A client over the platform's own transport, which all such clients of a process share: libcurl on Linux,
    /// URLSession on Apple's platforms.
    ///
    /// - Parameters:
    ///   - baseURL: what paths are below: `http` or `https`, with a path and a query of its own if it has them. A URL that can't be a
    ///     base is `.invalidURL` when a request is sent.
    ///   - interceptors: wrap each exchange; the first is the outermost.
    ///   - encoder: for bodies, queries and forms. Default: `.json`.
    ///   - decoder: for answers. Default: `.json`.
    ///   - configuration: times, sizes and defaults.
    ///   - time: the clock for deadlines, and for whatever the client is used with, unless that has its own. Default: the system's.
    ///   - random: the random numbers, such as for the jitter of retries, used by the same. Default: the system's.
    public init(
        baseURL: URL? = nil, interceptors: [any Interceptor] = [], encoder: any BodyEncoder = .json, decoder: any BodyDecoder = .json,
        configuration: Configuration = Configuration(), time: any TimeSource = .system, random: any RandomSource = .system
    ) {
        self.init(
            baseURL: baseURL, transport: PlatformTransport().transport, interceptors: interceptors, encoder: encoder, decoder: decoder,
            configuration: configuration, time: time, random: random)
    }
}
