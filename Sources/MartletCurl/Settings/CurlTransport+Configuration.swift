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

extension CurlTransport.Configuration {
    /// Throws if a value is invalid or if this version of libcurl does not support it.
    func check(for version: CurlVersion) throws(HTTPError) {
        for need in needs where version < need.version {
            throw .engineUnavailable(Explanation("\(need.what) needs libcurl \(need.version) or later; \(version) is installed"))
        }
        try checkAddresses()
    }

    private var needs: [(what: String, version: CurlVersion)] {
        var needs: [(String, CurlVersion)] = []
        if case .certificates = tls.trust { needs.append(("trusting certificates given as bytes", .takesCertificateBytes)) }
        if !tls.clientIdentities.isEmpty { needs.append(("a client certificate", .takesKeyBytes)) }
        if maxConnectionAge != nil { needs.append(("maxConnectionAge", .limitsConnectionAge)) }
        return needs
    }
}
