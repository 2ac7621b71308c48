internal import CMartletCurl
internal import MartletCore

/// The names that a transfer waits for before libcurl gets it.
extension Transfer {
    /// The first of the names has been found.
    func takeAddresses(_ addresses: [String], version: CurlVersion) {
        addressLines += lookups.removeFirst().lines(addresses, version: version)
        if lookups.isEmpty, let lookupStart { lookupTime = .now - lookupStart }
    }

    /// The error for the first of the names, when it has no address: as libcurl's own lookup reports it.
    var unknownHost: HTTPError {
        let host = lookups.first?.host ?? ""
        let code = host == route.proxy?.host ? CURLE_COULDNT_RESOLVE_PROXY.code : CURLE_COULDNT_RESOLVE_HOST.code
        return CurlFailure(code: code, text: "Could not resolve host: \(host)", isThroughProxy: route.proxy != nil).error
    }
}
