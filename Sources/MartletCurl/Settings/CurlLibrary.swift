internal import CMartletCurl
internal import MartletHTTP
internal import MartletSystem

/// The functions of libcurl, loaded at run time.
struct CurlLibrary: @unchecked Sendable {
    // Proof: the table is filled before this value is created, and is never changed or freed. libcurl's functions may be called from any
    // thread, and the engine ensures that only one thread uses each handle at a time.
    let functions: UnsafePointer<ccurl_functions>
    /// The version and the kind of name lookup. Tests change them to simulate an older library.
    var resolver: ResolverTraits

    var version: CurlVersion { resolver.version }

    /// The library of this process. It is loaded at the first use and never unloaded.
    static let shared: Result<CurlLibrary, HTTPError> = {
        do throws(HTTPError) {
            let library = try CurlLibrary(names: ["libcurl.so.4", "libcurl.so"], setting: "MARTLET_LIBCURL")
            guard library.functions.pointee.global_init(CURL_GLOBAL_ALL.code) == CURLE_OK.code else {
                throw CurlLibrary.unavailable("libcurl could not be initialised")
            }
            return .success(library)
        } catch { return .failure(error) }
    }()

    /// Loads the first of the named libraries that can be used. `setting` is the environment variable that names another one.
    init(names: [String], setting: String? = nil, atLeast oldest: CurlVersion = .oldestSupported) throws(HTTPError) {
        do throws(SystemLibrary.Unusable) {
            self = try SystemLibrary.first("libcurl", names: names, setting: setting) { library throws(SystemLibrary.Unusable) in
                try CurlLibrary(library, atLeast: oldest)
            }
        } catch { throw CurlLibrary.unavailable(error.description) }
    }

    private init(_ library: SystemLibrary, atLeast oldest: CurlVersion) throws(SystemLibrary.Unusable) {
        functions = try library.table(ccurl_functions(), fill: ccurl_resolve)
        let info = functions.pointee.version_info(Int32(CURLVERSION_SECOND.code))?.pointee
        resolver = ResolverTraits(
            version: CurlVersion(number: info?.version_num ?? 0),
            isAsynchronous: info.map { Int($0.features) & CURL_VERSION_ASYNCHDNS.code != 0 } ?? false,
            usesCAres: info.map { $0.age >= CURLVERSION_SECOND.code && $0.ares != nil } ?? false)
        if version < oldest { throw SystemLibrary.Unusable("libcurl \(version) is too old: \(oldest) or later is needed") }
    }

    private static func unavailable(_ what: String) -> HTTPError {
        .engineUnavailable(
            Explanation("\(what). Install the system's libcurl package: `apt-get install libcurl4` on Debian and Ubuntu"))
    }
}

/// How the installed libcurl looks up names.
struct ResolverTraits: Hashable, Sendable {
    var version: CurlVersion
    /// Whether lookups run concurrently with transfers.
    var isAsynchronous = true
    /// Whether libcurl uses c-ares, which has no threads.
    var usesCAres = false

    /// Whether a lookup can block the engine's thread, and with it all transfers.
    ///
    /// A threaded resolver blocks when a transfer ends during its lookup, because libcurl joins the thread. Since 7.87 an option prevents
    /// that. A synchronous resolver always blocks.
    var canBlock: Bool { !isAsynchronous || !usesCAres && version < .leavesLookups }
}

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

    /// Whether small bodies are copied into libcurl, which then sends them with the head in one write. A body that it asks for is sent on
    /// its own (before 8.7). Only from 7.80 on Martlet can refuse that a copied one is sent again.
    var copiesBodies: Bool { CurlVersion.asksBeforeRequests <= self && self < CurlVersion(8, 7, 0) }

    /// Whether libcurl itself closes a kept-alive connection on which bytes have arrived, before each use (7.73 to 7.87, 8.0 to 8.21).
    ///
    /// Earlier versions and 7.88 use it. Later ones look at a connection once per second. They would take the bytes for the response to the
    /// next request.
    var closesUnread: Bool {
        CurlVersion(7, 73, 0) <= self && self < CurlVersion(7, 88, 0) || CurlVersion(8, 0, 0) <= self && self < CurlVersion(8, 22, 0)
    }

    /// Whether a handle that has run a transfer keeps a pointer to a freed header field of it, which a response frees again whose first
    /// field line begins with white space (7.84.0 to 8.0.1, curl issue 11101). Only `curl_easy_cleanup` removes the pointer.
    var keepsFreedField: Bool { CurlVersion(7, 84, 0) <= self && self < CurlVersion(8, 1, 0) }

    /// Whether a handle counts dead connections over all its transfers, and fails at the sixth one (before 8.17).
    var countsDeadConnections: Bool { self < CurlVersion(8, 17, 0) }

    /// The first version that closes the connection of a handle with CURLOPT_CONNECT_ONLY when the handle is removed. Earlier versions keep
    /// it until the multi handle is freed.
    static let closesUpgraded = CurlVersion(7, 85, 0)

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
