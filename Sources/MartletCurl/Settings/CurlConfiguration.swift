extension CurlTransport {
    /// How a ``CurlTransport`` connects.
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

        /// How many connections there may be to one scheme, host and port. Default: 64. Further requests wait their turn.
        ///
        /// With HTTP/2 one connection carries up to a hundred requests at a time. A streamed answer that nobody reads keeps its place.
        public var maximumConnectionsPerOrigin = 64

        /// How many connections there may be in all. Default: 512. Further requests wait their turn.
        public var maximumConnections = 512

        /// How many unused connections are kept open for later requests. Default: 128.
        public var maximumIdleConnections = 128

        /// A file of PEM certificates to trust in place of the system's. Default: nil, the system's bundle.
        ///
        /// A file that is not there or holds no certificate makes every `https` request fail as `.invalidSSLCertificate`.
        public var caFile: String?

        /// Which versions of HTTP may be spoken. Default: `.automatic`.
        public var versions = Versions.automatic

        /// How many bytes of a streamed body are read ahead of the reader, after decompression. Default: 256 KiB (262,144).
        ///
        /// Bounded to within one network read (64 KiB) beyond it.
        public var streamBufferSize = 256 * 1024

        /// The configuration with each value's default.
        public init() {}

        /// With how many requests under way none has to wait for a connection.
        var mostConnections: Int { [maximumConnectionsPerOrigin, maximumConnections].filter { $0 > 0 }.min() ?? Int.max }
    }
}
