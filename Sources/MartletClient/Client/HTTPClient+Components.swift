public import MartletEssentials

extension HTTPClient {
    /// The parts of a client, which ``HTTPClient/with(_:)`` can change.
    public struct Components: Sendable {
        /// The URL that paths are relative to.
        public var baseURL: URL?
        /// The transport that performs the exchanges.
        public var transport: any Transport
        /// The interceptors around each exchange. The first is the outermost.
        public var interceptors: [any Interceptor]
        /// The encoder for bodies, queries and forms.
        public var encoder: any BodyEncoder
        /// The decoder for responses.
        public var decoder: any BodyDecoder
        /// The time limits, size limits and default header fields.
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
    /// The calls of the copy belong to the same group, so that `cancelAll()` and `drain(within:)` on either client act on both. A transport
    /// with another group changes that.
    public func with(_ change: (inout Components) -> Void) -> HTTPClient {
        var components = settings.components
        let transportCalls = components.transport.calls
        change(&components)
        return HTTPClient(components, calls: components.transport.calls === transportCalls ? settings.calls : nil)
    }
}
