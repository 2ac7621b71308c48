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
        for (host, addresses) in resolve where addresses.isEmpty {
            throw .invalidRequest(Explanation("“\(Redaction.line(host))” in `resolve` has no addresses: list at least one"))
        }
        for host in resolve.keys where !host.isHostName {
            throw .invalidRequest(
                Explanation("“\(Redaction.line(host))” in `resolve` is not a host name: use ASCII letters, digits, - _ and ."))
        }
        guard Set(resolve.keys.map { $0.lowercased() }).count == resolve.count else {
            throw .invalidRequest("`resolve` lists a name twice: upper and lower case are the same name")
        }
        for address in resolve.values.joined() where IPAddress(address) == nil {
            throw .invalidRequest(Explanation("“\(Redaction.line(address))” in `resolve` is not an IP address"))
        }
        if let unixSocket, unixSocket.isEmpty || unixSocket.utf8.contains(0) || unixSocket.utf8.count > 107 {
            throw .invalidRequest("the path in `unixSocket` is empty, contains a null byte, or is longer than 107 bytes")
        }
    }

    private var needs: [(what: String, version: CurlVersion)] {
        var needs: [(String, CurlVersion)] = []
        if case .certificates = tls.trust { needs.append(("trusting certificates given as bytes", .takesCertificateBytes)) }
        if !tls.clientIdentities.isEmpty { needs.append(("a client certificate", .takesKeyBytes)) }
        if maxConnectionAge != nil { needs.append(("maxConnectionAge", .limitsConnectionAge)) }
        return needs
    }
}

extension String {
    /// Whether this string can be the host of a URL: an ASCII name (an international one in its `xn--` form), or an IP address without
    /// brackets.
    fileprivate var isHostName: Bool {
        IPAddress(self) != nil && !hasPrefix("[")
            || !isEmpty && !hasSuffix(".")
                && utf8.allSatisfy { byte in
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8.contains(byte)
                }
    }
}
