internal import MartletCore

extension CurlTransport.Configuration {
    /// Refuses what this version of libcurl can't do, or what could mean nothing.
    func check(for version: CurlVersion) throws(HTTPError) {
        for need in needs where version < need.version {
            throw .engineUnavailable(Explanation("\(need.what) needs libcurl \(need.version) or later; \(version) is installed"))
        }
        for (host, addresses) in resolve where host.isEmpty || addresses.isEmpty {
            throw .invalidRequest(Explanation("there is no address to resolve “\(host)” to"))
        }
        for address in resolve.values.joined() where !address.isAddress {
            throw .invalidRequest(Explanation("“\(address)” is not an address to resolve a name to"))
        }
        if let unixSocket, unixSocket.isEmpty || unixSocket.utf8.contains(0) || unixSocket.utf8.count > 107 {
            throw .invalidRequest("the path of the Unix socket is empty or longer than 107 bytes")
        }
    }

    private var needs: [(what: String, version: CurlVersion)] {
        var needs: [(String, CurlVersion)] = []
        if case .certificates = tls.trust { needs.append(("trusting certificates that are given as bytes", .takesCertificateBytes)) }
        if tls.clientCertificate != nil { needs.append(("a client certificate", .takesKeyBytes)) }
        if maximumConnectionAge != nil { needs.append(("maximumConnectionAge", .limitsConnectionAge)) }
        return needs
    }
}

extension String {
    /// Whether it can be an IP address: whatever else libcurl would read as part of its list.
    fileprivate var isAddress: Bool {
        !isEmpty && utf8.allSatisfy { "0123456789abcdefABCDEF.:[]%".utf8.contains($0) }
    }
}
