internal import CMartletCurl
internal import MartletHTTP

/// The names to look up before libcurl gets the transfer, and the addresses that it may connect to.
extension Transfer {
    /// Stores the addresses of the first name.
    func takeAddresses(_ addresses: [String], version: CurlVersion) {
        addressLines += lookups.removeFirst().lines(addresses, version: version)
        if lookups.isEmpty, let lookupStart { lookupTime = .now - lookupStart }
    }

    /// The error for the first name if it has no address. It equals the error of libcurl's own lookup.
    var unknownHost: HTTPError {
        let host = lookups.first?.host ?? ""
        let code = host == route.proxy?.host ? CURLE_COULDNT_RESOLVE_PROXY.code : CURLE_COULDNT_RESOLVE_HOST.code
        return CurlFailure(code: code, text: "Could not resolve host: \(host)", isThroughProxy: route.proxy != nil).error
    }

    /// Whether the request may be sent to an address. Nil means that the connection has no IP address.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard let policy = route.addresses else { return true }
        guard let address else {
            refusedAddress = "the connection has no IP address that the address policy could check"
            return false
        }
        guard let why = policy.refusal(of: address) else {
            mayReachAnAddress = true
            return true
        }
        refusedAddress = why
        return false
    }

    /// Returns why no address could be reached, if the guard refused all of them. A host with an allowed address is merely unreachable.
    func refusal(after code: Int) -> String? {
        switch code {
        case CURLE_ABORTED_BY_CALLBACK.code: refusedAddress
        case CURLE_COULDNT_CONNECT.code: mayReachAnAddress ? nil : refusedAddress
        default: nil
        }
    }
}
