/// A version of libcurl as `curl_version_info` numbers it: 0xMMNNPP.
struct CurlVersion: Hashable, Comparable, CustomStringConvertible {
    let number: UInt32

    init(number: UInt32) { self.number = number }

    init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) { number = major << 16 | minor << 8 | patch }

    /// The oldest supported version: that of Ubuntu 20.04.
    static let oldestSupported = CurlVersion(7, 68, 0)
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

    /// Whether a handle that has run a transfer keeps a pointer to a freed header field of it, which a response frees again whose first field
    /// line begins with white space (7.84.0 to 8.0.1, curl issue 11101). Only `curl_easy_cleanup` removes the pointer.
    var keepsFreedField: Bool { CurlVersion(7, 84, 0) <= self && self < CurlVersion(8, 1, 0) }

    /// Whether a handle counts dead connections over all its transfers, and fails at the sixth one (before 8.17).
    var countsDeadConnections: Bool { self < CurlVersion(8, 17, 0) }

    /// The first version that tells the number of a transfer's connection.
    static let numbersConnections = CurlVersion(8, 2, 0)

    /// Whether the version's debug text tells which HTTP/2 streams a server has not processed (``DebugNotice``).
    ///
    /// Only versions are listed with which the tests over nginx passed: with others a request that is not idempotent is never sent again.
    var tellsStreams: Bool {
        [CurlVersion(7, 88, 0), CurlVersion(8, 5, 0), CurlVersion(8, 14, 0), CurlVersion(8, 23, 0)].contains {
            $0.number >> 8 == number >> 8
        }
    }

    var description: String { "\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)" }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
