public import MartletHTTP

extension CurlTransport {
    /// The configuration of a transport, the same type for all transports.
    ///
    /// If the installed libcurl is too old for a value, each request fails with `.engineUnavailable`, which names the version that is
    /// needed.
    public typealias Configuration = TransportConfiguration
}

extension TransportConfiguration {
    /// The number of concurrent requests up to which no request waits for a connection.
    var connectionCapacity: Int { [maxConnectionsPerOrigin, maxConnections].filter { $0 > 0 }.min() ?? Int.max }
}
