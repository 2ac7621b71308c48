internal import CMartletCurl
internal import MartletHTTP
internal import MartletSystem

/// libcurl, found and bound when the program runs.
struct CurlLibrary: @unchecked Sendable {
    // Proof: the table is filled before this value is made and never changes or goes after; libcurl's functions may be called from
    // any thread, and the engine sees to it that each of their handles is used by one at a time.
    let functions: UnsafePointer<ccurl_functions>
    /// The version and the kind of name lookup. Tests change them to simulate an older library.
    var resolver: ResolverTraits

    var version: CurlVersion { resolver.version }

    /// The process's one: loaded at its first use, and never let go of.
    static let shared: Result<CurlLibrary, HTTPError> = {
        do throws(HTTPError) {
            let library = try CurlLibrary(names: ["libcurl.so.4", "libcurl.so"])
            guard library.functions.pointee.global_init(CURL_GLOBAL_ALL.code) == CURLE_OK.code else {
                throw CurlLibrary.unavailable("libcurl could not be initialised")
            }
            return .success(library)
        } catch { return .failure(error) }
    }()

    /// Binds the first library that is there.
    init(names: [String], atLeast oldest: CurlVersion = .oldestSupported) throws(HTTPError) {
        guard let library = SystemLibrary(names: names) else {
            throw CurlLibrary.unavailable("libcurl is not installed (looked for \(names.joined(separator: ", ")))")
        }
        do throws(SystemLibrary.MissingFunction) {
            functions = try library.table(ccurl_functions(), fill: ccurl_resolve)
        } catch { throw CurlLibrary.unavailable("the library that was found has no \(error.name)") }
        let info = functions.pointee.version_info(Int32(CURLVERSION_SECOND.code))?.pointee
        resolver = ResolverTraits(
            version: CurlVersion(number: info?.version_num ?? 0),
            isAsynchronous: info.map { Int($0.features) & CURL_VERSION_ASYNCHDNS.code != 0 } ?? false,
            usesCAres: info.map { $0.age >= CURLVERSION_SECOND.code && $0.ares != nil } ?? false)
        try CurlLibrary.check(resolver.version, atLeast: oldest)
    }

    /// Refuses a version that is too old.
    static func check(_ version: CurlVersion, atLeast oldest: CurlVersion = .oldestSupported) throws(HTTPError) {
        guard version < oldest else { return }
        throw unavailable("libcurl \(version) is too old: \(oldest) or later is needed")
    }

    private static func unavailable(_ what: String) -> HTTPError {
        .engineUnavailable(
            Explanation("\(what). Install the system's package of it: `apt-get install libcurl4` on Debian and Ubuntu"))
    }
}
