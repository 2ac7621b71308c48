extension HTTPClient {
    /// The time limits, size limits, redirect policy and default header fields of a client. Requests, endpoints and calls can override
    /// them.
    public struct Configuration: Sendable {
        /// The time limit for a whole call with redirects, retries and waits, up to its value, or up to the head of a streamed response.
        /// Nil removes the limit. Default: 60 seconds.
        public var totalTimeout: Duration?
        /// The time limit for the response to one attempt; for a streamed response, for its head. Default: nil, no limit except the total.
        public var attemptTimeout: Duration?
        /// The maximum time without bytes while a streamed body is read, or an upload with progress is sent, before `.timeout` is thrown.
        /// Nil removes the limit. Default: 60 seconds.
        public var idleTimeout: Duration?
        /// The maximum sizes of a response.
        public var limits: ResponseLimits
        /// The policy for redirects. Default: at most 20 are followed.
        public var redirects: RedirectPolicy
        /// The header fields that are added to requests to the client's own origin that do not have a field of the same name. Default: a
        /// `User-Agent` with Martlet's name.
        ///
        /// Requests to another origin than that of the base URL get only the `User-Agent`, such as one with a full URL. If the client has
        /// no base URL, all requests get the fields until a redirect or a link leads to another origin. Use a `HeadersInterceptor` to name
        /// further origins, and an `AuthInterceptor` for credentials.
        public var headers: HTTPFields
        /// The names of header fields that are neither secret nor identify a user, in addition to Martlet's own list. Default: none.
        ///
        /// A redirect or a link takes such a field to another origin. A stored response is used for requests that differ in it, and one
        /// response is shared among them. All fields of unknown names are treated as the user's. A field that was marked with
        /// `markAsCredential(_:)`, `Authorization`, `Proxy-Authorization` and `Cookie` stay credentials. Names that indicate a credential
        /// are still redacted in texts.
        public var harmlessFields: Set<HTTPFieldName>

        /// Creates the configuration of a client. A setting that is left out has its default.
        public init(
            totalTimeout: Duration? = .seconds(60), attemptTimeout: Duration? = nil, idleTimeout: Duration? = .seconds(60),
            limits: ResponseLimits = .init(), redirects: RedirectPolicy = .follow(), headers: HTTPFields = [.userAgent: "Martlet"],
            harmlessFields: Set<HTTPFieldName> = []
        ) {
            self.totalTimeout = totalTimeout
            self.attemptTimeout = attemptTimeout
            self.idleTimeout = idleTimeout
            self.limits = limits
            self.redirects = redirects
            self.headers = headers
            self.harmlessFields = harmlessFields
        }
    }
}
