internal import CMartletCurl
internal import MartletHTTP

/// The names to look up before libcurl gets a transfer, and the addresses found so far.
struct PendingLookups {
    /// The names that have no address yet.
    private(set) var targets: [LookupTarget]
    /// The addresses found, as lines for libcurl.
    private(set) var lines: [String] = []
    private var began: ContinuousClock.Instant?
    /// The duration of all lookups; nil before they have ended.
    private(set) var duration: Duration?
    /// The time limit of the lookups that the transfer waits for.
    var timeout: LookupTimeout?

    init(_ targets: [LookupTarget]) { self.targets = targets }

    /// Records that the transfer needs the first name. Returns when its lookups began.
    mutating func begin(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let began = began ?? now
        self.began = began
        return began
    }

    /// Stores the addresses of the first name.
    mutating func take(_ addresses: [String], version: CurlVersion, at now: ContinuousClock.Instant) {
        lines += targets.removeFirst().lines(addresses, version: version)
        if targets.isEmpty, let began { duration = now - began }
    }

    /// The error for the first name if it has no address. It equals the error of libcurl's own lookup.
    func unknownHost(over route: Route) -> HTTPError {
        let host = targets.first?.host ?? ""
        let code = host == route.proxy?.host ? CURLE_COULDNT_RESOLVE_PROXY.code : CURLE_COULDNT_RESOLVE_HOST.code
        return CurlFailure(code: code, text: "Could not resolve host: \(host)", isThroughProxy: route.proxy != nil).error
    }
}
