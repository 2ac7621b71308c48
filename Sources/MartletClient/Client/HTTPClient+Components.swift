public import MartletEssentials

extension HTTPClient {
    /// The parts of a client, which the closure of ``HTTPClient/with(_:)`` can change.
    public struct Components: Sendable {
        /// The URL that paths are relative to.
        public var baseURL: URL?
        /// The transport that performs the exchanges.
        public var transport: any Transport
        /// The interceptors around each exchange. The first is the outermost.
        public var interceptors: [any Interceptor]
        /// The observers of every call. See ``CallObserver``.
        public var observers: [any CallObserver]
        /// The encoder for bodies, queries and forms.
        public var encoder: any BodyEncoder
        /// The decoder for responses.
        public var decoder: any BodyDecoder
        /// The time limits, size limits, redirect policy and default header fields.
        public var configuration: Configuration
        /// The clock for deadlines, and for interceptors without their own.
        public var time: any TimeSource
        /// The source of random numbers for the jitter of waits, and for interceptors without their own.
        public var random: any RandomSource
    }

    /// Returns a copy of the client with the changes that a closure makes to its parts.
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
