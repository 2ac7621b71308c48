extension CircuitBreaker {
    /// The store in which the processes of a fleet share their circuits.
    ///
    /// ```swift
    /// let state = RedisTrafficState(host: "10.0.0.5")  // in the module MartletRedis
    /// let breaker = CircuitBreaker(shared: .init("prices", in: state))
    /// ```
    ///
    /// Each process counts the outcomes of its own requests. If one opens its circuit, the others open theirs at their next request after
    /// ``refreshInterval``. Probes are claimed in the store, so that the whole fleet sends at most ``Rules/probes`` at a time. When all
    /// have succeeded, the circuit closes for all.
    ///
    /// While a circuit is closed or open, no request waits for the store: its state is read in the background. Only a request that could
    /// be a probe waits for its claim. A process that does not reach the store acts alone. All processes must use the same rules.
    public struct Sharing: Sendable {
        /// The name of the breaker. Groups of breakers with the same name, in the same store, share their circuits.
        public let name: String
        /// The store.
        public let state: any SharedTrafficState
        /// The time after which a request causes the shared state to be read again. Default: 1 second.
        public let refreshInterval: Duration

        /// Creates a value.
        ///
        /// - Parameters:
        ///   - name: The name of the breaker, such as that of the service.
        ///   - state: The store.
        ///   - refreshInterval: The time after which a request causes the shared state to be read again, at least 10 ms. Default: 1 second.
        public init(_ name: String, in state: any SharedTrafficState, refreshInterval: Duration = .seconds(1)) {
            self.name = name
            self.state = state
            self.refreshInterval = max(.milliseconds(10), refreshInterval)
        }
    }
}
