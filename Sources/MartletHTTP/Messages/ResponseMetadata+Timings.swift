extension ResponseMetadata {
    /// How long the phases of one exchange took, of which each is nil if it did not happen or was not measured.
    ///
    /// For example, a reused connection needs no name lookup.
    public struct Timings: Sendable, Hashable {
        /// The time in the transport's queue before the exchange began.
        public var queued: Duration?
        /// The time for resolving the host name.
        public var nameLookup: Duration?
        /// The time for connecting, without the name lookup and the TLS handshake.
        public var connect: Duration?
        /// The time for the TLS handshake.
        public var tls: Duration?
        /// The time from the start of the exchange to the first byte of the response. With URLSession it includes ``queued``. With libcurl
        /// it does not, nor a lookup made before libcurl gets the request.
        public var firstByte: Duration?
        /// The time from the start of the exchange to the end of the response, or nil for a streamed body, which has not ended yet.
        public var total: Duration?

        /// Creates the timings of an exchange. Phases that are not given are nil.
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
