extension ResponseMetadata {
    /// How long an exchange took, as far as the transport knows. What is nil was not measured, or did not happen: on a connection that is
    /// used again no name is looked up.
    public struct Timings: Sendable, Hashable {
        /// Waiting for its turn, until the transport began with it.
        public var queued: Duration?
        /// Looking up the host's name.
        public var nameLookup: Duration?
        /// Connecting, without TLS.
        public var connect: Duration?
        /// The handshake of TLS.
        public var tls: Duration?
        /// From the start of the exchange to the first byte of the answer.
        public var firstByte: Duration?
        /// From the start of the exchange to the end of the answer; nil for a streamed one, which has not ended when it is given.
        public var total: Duration?

        /// Timings, each nil unless given.
        public init(
            queued: Duration? = nil, nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
            firstByte: Duration? = nil, total: Duration? = nil
        ) {
            self.queued = queued
            self.nameLookup = nameLookup
            self.connect = connect
            self.tls = tls
            self.firstByte = firstByte
            self.total = total
        }
    }
}
