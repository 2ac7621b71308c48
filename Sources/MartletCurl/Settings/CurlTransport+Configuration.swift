public import MartletHTTP

extension CurlTransport {
    /// The configuration of a transport. A value that the installed libcurl is too old for makes requests fail with `.engineUnavailable`, which
    /// names the version that is needed.
    public typealias Configuration = TransportConfiguration
}

extension TransportConfiguration {
    /// The number of running requests up to which none waits for a connection.
    var connectionCapacity: Int { [maxConnectionsPerOrigin, maxConnections].filter { $0 > 0 }.min() ?? Int.max }
}
