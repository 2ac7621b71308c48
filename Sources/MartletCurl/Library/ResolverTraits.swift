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
