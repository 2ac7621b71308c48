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
            let library = try CurlLibrary(names: ["libcurl.so.4", "libcurl.so"])
            guard library.functions.pointee.global_init(CURL_GLOBAL_ALL.code) == CURLE_OK.code else {
                throw CurlLibrary.unavailable("libcurl could not be initialised")
            }
            return .success(library)
        } catch { return .failure(error) }
    }()

    /// Loads the first of the named libraries that is installed.
    init(names: [String], atLeast oldest: CurlVersion = .oldestSupported) throws(HTTPError) {
        guard let library = SystemLibrary(names: names) else {
            throw CurlLibrary.unavailable("libcurl is not installed (tried \(names.joined(separator: ", ")))")
        }
        do throws(SystemLibrary.MissingFunction) {
            functions = try library.table(ccurl_functions(), fill: ccurl_resolve)
        } catch { throw CurlLibrary.unavailable("the library that was found lacks the function \(error.name)") }
        let info = functions.pointee.version_info(Int32(CURLVERSION_SECOND.code))?.pointee
        resolver = ResolverTraits(
            version: CurlVersion(number: info?.version_num ?? 0),
            isAsynchronous: info.map { Int($0.features) & CURL_VERSION_ASYNCHDNS.code != 0 } ?? false,
            usesCAres: info.map { $0.age >= CURLVERSION_SECOND.code && $0.ares != nil } ?? false)
        try CurlLibrary.check(resolver.version, atLeast: oldest)
    }

    /// Throws if a version is too old.
    static func check(_ version: CurlVersion, atLeast oldest: CurlVersion = .oldestSupported) throws(HTTPError) {
        guard version < oldest else { return }
        throw unavailable("libcurl \(version) is too old: \(oldest) or later is needed")
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
