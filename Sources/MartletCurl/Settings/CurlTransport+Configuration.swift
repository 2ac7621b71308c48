public import MartletHTTP

extension CurlTransport {
    /// How a ``CurlTransport`` connects.
    ///
    /// What the installed libcurl is too old for is never left out silently: requests then fail as `.engineUnavailable`, which names the
    /// version that is needed.
    public struct Configuration: Sendable, Hashable {
        /// Which versions of HTTP may be spoken.
        @nonexhaustive public enum Versions: Sendable, Hashable {
            /// HTTP/2 where the server offers it over TLS (by ALPN), else HTTP/1.1. `http://` is HTTP/1.1.
            case automatic
            /// HTTP/1.1 only.
            case http11
        }

        /// How long it may take until a connection stands: looking up the name, TCP and TLS. Default: 30 seconds.
        ///
        /// Past it: `.timeout` with the stage `.connect`. Counted in milliseconds, and never less than one.
        public var connectTimeout: Duration = .seconds(30)

        /// How many connections there may be to one scheme, host and port. Default: 64; 0 for no limit. Further requests wait their turn,
        /// and hold up none to another origin.
        ///
        /// With HTTP/2 one connection carries up to a hundred requests at a time. A streamed answer that nobody reads keeps its place.
        public var maximumConnectionsPerOrigin = 64

        /// How many connections there may be in all. Default: 512; 0 for no limit. Further requests wait, their origins taking turns.
        public var maximumConnections = 512

        /// How many unused connections are kept open for later requests. Default: 128.
        public var maximumIdleConnections = 128

        /// How long a connection that nobody uses is used again. Default: 60 seconds. Counted in whole seconds, and never less than one.
        public var maximumIdleTime: Duration = .seconds(60)

        /// The maximum idle time of a connection that a request which is not idempotent may use. Default: 4 seconds. With zero, each such
        /// request uses a new connection.
        ///
        /// If a server closes an idle connection while such a request is in transit, the request fails with `.connectionLost` and is not
        /// sent again, because the server may have processed it. Many servers close idle connections after 5 seconds. If an origin's
        /// responses announce its timeout (`Keep-Alive: timeout=5`), that timeout minus one second replaces this value. The limit is
        /// applied in whole seconds and rounded down by up to one second; below two seconds no connection is used again.
        /// ``maximumIdleTime`` applies as well.
        ///
        /// When such a request is sent, libcurl also closes unused connections to other origins that have been idle for longer.
        public var maximumIdleTimeWhenNotIdempotent: Duration = .seconds(4)

        /// How long after it was made a connection is used again, however busy. Default: nil, for ever. Counted in whole seconds.
        ///
        /// Lets changes of DNS be noticed, and servers shut down. Needs libcurl 7.80.
        public var maximumConnectionAge: Duration?

        /// Whom to trust, which keys to demand, and what certificate to show. Default: the system's authorities, TLS 1.2 and later.
        ///
        /// A file that is missing, may not be read or is not in PEM makes every `https` request fail as `.invalidRequest`, which names it.
        /// `systemAndFile` and `systemAndCertificates` are read once, when the transport sends its first request: without any certificate
        /// in them every request fails so, also an `http` one. Certificates given as bytes need libcurl 7.77, client
        /// certificates 7.71.
        public var tls = TLSSettings()

        /// Whether requests go through a proxy. Default: `.none`, whatever the environment says.
        ///
        /// `https` requests use a tunnel (`CONNECT`, RFC 9110 §9.3.6). `.environment` is read once, by the first request. Credentials are
        /// sent with the Basic scheme. A failure of the connection to the proxy is `.networkError(.proxyFailed)`. If a proxy requests other
        /// credentials (407), the error is `.statusCode` for `http` and `https` alike, with the `Proxy-Authenticate` fields in
        /// ``HTTPError/response``. A refused tunnel throws this error even if the request accepts every status, because the origin server
        /// has not responded.
        public var proxy = ProxySettings.none

        /// Addresses for names, in place of what DNS would say: `["api.example.com": ["10.0.0.1", "::1"]]`. Default: none.
        ///
        /// For any port. The names are compared without case; TLS still checks the certificate against the name.
        public var resolve: [String: [String]] = [:]

        /// The path of a Unix domain socket that every request goes to, whatever its URL's host. Default: nil.
        public var unixSocket: String?

        /// Which versions of HTTP may be spoken. Default: `.automatic`.
        public var versions = Versions.automatic

        /// How many bytes of a streamed body are read ahead of the reader, after decompression. Default: 256 KiB (262,144).
        ///
        /// Bounded to within one network read (64 KiB) beyond it.
        public var streamBufferSize = 256 * 1024

        /// The maximum number of nested content codings (RFC 9110 §8.4) that the transport decodes. Default: 2. At least 1.
        ///
        /// Codings multiply: a few kilobytes can become gigabytes between them. A response with more codings fails with `.invalidResponse`.
        /// A request that sets `Accept-Encoding` itself receives any body as it was sent.
        public var maxContentCodings = 2

        /// The configuration with each value's default.
        public init() {}

        /// With how many requests under way none has to wait for a connection.
        var maxConnections: Int { [maximumConnectionsPerOrigin, maximumConnections].filter { $0 > 0 }.min() ?? Int.max }
    }
}
