extension HTTPClient {
    /// A client's times, sizes and defaults. Requests and endpoints may differ from them.
    public struct Configuration: Sendable {
        /// How long a call may take in all, redirects, retries and waits included: up to the value, or up to the head of a stream.
        /// Nil for no limit. Default: 60 seconds.
        public var totalTimeout: Duration?
        /// How long one exchange may take to give its answer; nil for no limit but the total. Default: nil.
        public var attemptTimeout: Duration?
        /// How long a streamed body may be silent while it is waited for; nil for no limit. Default: 60 seconds.
        public var idleTimeout: Duration?
        /// The sizes an answer may have.
        public var limits: ResponseLimits
        /// Which redirects are followed. Default: up to 20.
        public var redirects: RedirectPolicy
        /// Fields for every request that does not have them. Default: a `User-Agent` with Martlet's name.
        public var headers: HTTPFields

        /// A configuration, each setting with its default.
        public init(
            totalTimeout: Duration? = .seconds(60), attemptTimeout: Duration? = nil, idleTimeout: Duration? = .seconds(60),
            limits: ResponseLimits = .init(), redirects: RedirectPolicy = .follow(), headers: HTTPFields = [.userAgent: "Martlet"]
        ) {
            self.totalTimeout = totalTimeout
            self.attemptTimeout = attemptTimeout
            self.idleTimeout = idleTimeout
            self.limits = limits
            self.redirects = redirects
            self.headers = headers
        }
    }
}
