internal import CMartletCurl
internal import MartletHTTP

/// The names to look up before libcurl gets the transfer.
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
}
