extension HTTPClient {
    /// The time limits, size limits and default header fields of a client. Requests, endpoints and calls can override them.
    public struct Configuration: Sendable {
        /// The time limit for a whole call, with redirects, retries and waits. It ends with the value, or with the head of a streamed
        /// response. Nil removes the limit. Default: 60 seconds.
        public var totalTimeout: Duration?
        /// The time limit for the response to one attempt. Default: nil, no limit except the total.
        public var attemptTimeout: Duration?
        /// The maximum wait for the next bytes of a streamed body while the app reads it. Nil removes the limit. Default: 60 seconds.
        public var idleTimeout: Duration?
        /// The maximum sizes of a response.
        public var limits: ResponseLimits
        /// The policy for redirects. Default: at most 20 are followed.
        public var redirects: RedirectPolicy
        /// Header fields for every request that does not have them. Default: a `User-Agent` with Martlet's name.
        public var headers: HTTPFields

        /// Creates a configuration. A setting that is left out has its default.
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
