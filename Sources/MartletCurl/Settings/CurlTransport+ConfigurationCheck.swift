internal import MartletHTTP

extension CurlTransport.Configuration {
    /// Refuses what this version of libcurl can't do, or what could mean nothing.
    func check(for version: CurlVersion) throws(HTTPError) {
        for need in needs where version < need.version {
            throw .engineUnavailable(Explanation("\(need.what) needs libcurl \(need.version) or later; \(version) is installed"))
        }
        for (host, addresses) in resolve where addresses.isEmpty {
            throw .invalidRequest(Explanation("there is no address to resolve “\(Redaction.line(host))” to"))
        }
        for host in resolve.keys where !host.isHostName {
            throw .invalidRequest(Explanation("“\(Redaction.line(host))” is not a host's name as URLs have it: letters, digits, - and _"))
        }
        guard Set(resolve.keys.map { $0.lowercased() }).count == resolve.count else {
            throw .invalidRequest("a name is to be resolved twice: names are the same in upper and lower case")
        }
        for address in resolve.values.joined() where IPAddress(address) == nil {
            throw .invalidRequest(Explanation("“\(Redaction.line(address))” is not an address to resolve a name to"))
        }
        if let unixSocket, unixSocket.isEmpty || unixSocket.utf8.contains(0) || unixSocket.utf8.count > 107 {
            throw .invalidRequest("the path of the Unix socket is empty or longer than 107 bytes")
        }
    }

    private var needs: [(what: String, version: CurlVersion)] {
        var needs: [(String, CurlVersion)] = []
        if case .certificates = tls.trust { needs.append(("trusting certificates that are given as bytes", .takesCertificateBytes)) }
        if !tls.clientIdentities.isEmpty { needs.append(("a client certificate", .takesKeyBytes)) }
        if maxConnectionAge != nil { needs.append(("maxConnectionAge", .limitsConnectionAge)) }
        return needs
    }
}

extension String {
    /// Whether it can be the host of a URL: a name in ASCII (an international one in its `xn--` form), or an address without brackets.
    fileprivate var isHostName: Bool {
        IPAddress(self) != nil && !hasPrefix("[")
            || !isEmpty && !hasSuffix(".")
                && utf8.allSatisfy { byte in
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8.contains(byte)
                }
    }
}
