public import MartletEssentials

extension HTTPClient {
    /// Everything that a client is made of, to be changed in ``HTTPClient/with(_:)``.
    public struct Components: Sendable {
        /// The URL that paths are relative to.
        public var baseURL: URL?
        /// Performs the exchanges.
        public var transport: any Transport
        /// Wrap each exchange; the first is the outermost.
        public var interceptors: [any Interceptor]
        /// Encodes bodies, queries and forms.
        public var encoder: any BodyEncoder
        /// Decodes responses.
        public var decoder: any BodyDecoder
        /// Time limits, size limits and default header fields.
        public var configuration: Configuration
        /// The clock for deadlines and interceptors.
        public var time: any TimeSource
        /// The random numbers for interceptors.
        public var random: any RandomSource
    }

    /// Returns a copy of the client with changes.
    ///
    /// ```swift
    /// let images = client.with {
    ///     $0.baseURL = URL(string: "https://images.example")
    ///     $0.configuration.totalTimeout = .seconds(120)
    /// }
    /// ```
    ///
    /// The calls of the copy belong to the same group, unless its transport has another group: `cancelAll()` and `drain(within:)` on either client
    /// act on both.
    public func with(_ change: (inout Components) -> Void) -> HTTPClient {
        var components = settings.components
        let transportCalls = components.transport.calls
        change(&components)
        return HTTPClient(components, calls: components.transport.calls === transportCalls ? settings.calls : nil)
    }
}
