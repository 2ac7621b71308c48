/// A version of libcurl as `curl_version_info` numbers it: 0xMMNNPP.
struct CurlVersion: Hashable, Comparable, CustomStringConvertible {
    let number: UInt32

    init(number: UInt32) { self.number = number }

    init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) { number = major << 16 | minor << 8 | patch }

    /// The oldest supported version: that of Ubuntu 20.04.
    static let oldestSupported = CurlVersion(7, 68, 0)
    /// The first version with protocol names as an option's value.
    static let namesProtocols = CurlVersion(7, 85, 0)
    /// The first version that can end a transfer during a name lookup without waiting for the lookup.
    static let leavesLookups = CurlVersion(7, 87, 0)

    /// The first version that expires addresses passed to it.
    static let forgetsAddresses = CurlVersion(7, 75, 0)

    /// The first version that accepts trusted certificates from memory.
    static let takesCertificateBytes = CurlVersion(7, 77, 0)
    /// The first version that accepts a client's certificate and key from memory.
    static let takesKeyBytes = CurlVersion(7, 71, 0)
    /// The first version that closes connections by their age.
    static let limitsConnectionAge = CurlVersion(7, 80, 0)

    /// The first version that calls a callback before each request, also on a kept-alive connection.
    static let asksBeforeRequests = CurlVersion(7, 80, 0)

    var description: String { "\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)" }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
