public import MartletEssentials
internal import MartletSystem

/// A store that keeps cookies in a file, which only its owner can read.
///
/// ```swift
/// let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".config/birds/cookies.json")
/// let cookies = CookieInterceptor(store: FileCookieStore(file))
/// ```
///
/// The file is read at the first use and replaced in one step after each change; its permissions are 0600. It must belong to the user of
/// the process and must not be a symbolic link. A damaged file is renamed to `cookies.json.corrupt` and reported, and the store begins
/// without cookies. A stored cookie that breaks a rule, such as that of a newer list of public suffixes, is left out. A new time of use
/// (``Cookie/lastAccessed``) alone is saved with the next change.
///
/// Use one store for a file. Two stores, also of two processes, overwrite each other's changes.
public actor FileCookieStore: CookieStore {
    private let file: CookieFile
    private let keepsSessionCookies: Bool
    private let time: any TimeSource
    private let report: @Sendable (CookieStoreError) -> Void
    private var jar: CookieJar
    private var isLoaded = false
    private var loading: Task<CookieStoreError?, Never>?
    /// The number of changes so far. The jar's own number decreases if `body` replaces the jar.
    private var revision = 0
    /// The number of changes that the file contains.
    private var savedRevision = 0
    private var saving: Task<CookieStoreError?, Never>?

    /// Creates a store over a file, which need not exist. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - file: The file. Missing folders are created with the permissions 0700.
    ///   - keepsSessionCookies: Whether cookies without an expiry are saved too. Default: false; they end with the process.
    ///   - limits: The limits. Default: 3,000 cookies, 180 of a domain, 4,096 bytes each.
    ///   - time: The clock by which expired cookies are left out. Default: the system's.
    ///   - report: Called for a damaged file, which was renamed. Default: does nothing.
    public init(
        _ file: URL, keepsSessionCookies: Bool = false, limits: CookieJar.Limits = CookieJar.Limits(), time: any TimeSource = .system,
        report: @escaping @Sendable (CookieStoreError) -> Void = { _ in }
    ) {
        self.file = CookieFile(url: file)
        self.keepsSessionCookies = keepsSessionCookies
        self.time = time
        self.report = report
        jar = CookieJar(limits: limits)
    }

    /// Calls `body` with the jar, saves it if it has changed, and returns the result.
    ///
    /// - Throws: `.unavailable` if the file can't be read or written, and `.full`. After a failure to save, the jar keeps the changes. They
    ///   are saved with the next one.
    public func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) async throws(CookieStoreError) -> Value {
        if !isLoaded { try await load() }
        let before = jar.changeCount, value = body(&jar)
        if jar.changeCount != before {
            revision += 1
            try await save(revision)
        }
        return value
    }

    /// Reads the file once for all callers. After a failure, the next call tries again.
    private func load() async throws(CookieStoreError) {
        let task = loading ?? Task { await read() }
        loading = task
        if let error = await task.value { throw error }
    }

    private func read() async -> CookieStoreError? {
        let outcome = await CookieFile.onLane { [file] () throws(CookieStoreError) in try file.read() }
        // Within the task, so that no caller sees a task that has ended.
        loading = nil
        switch outcome {
        case .failure(let error): return error
        case .success(let content):
            _ = jar.insert(contentsOf: content.cookies, at: time.now)
            isLoaded = true
            content.damage.map(report)
            return nil
        }
    }

    /// Waits until the file contains the change with this number. One write may save the changes of several callers.
    private func save(_ wanted: Int) async throws(CookieStoreError) {
        while savedRevision < wanted {
            if let saving {
                // It began before this change. If it failed, this call tries again.
                _ = await saving.value
                continue
            }
            let task = Task { await write() }
            saving = task
            if let error = await task.value { throw error }
        }
    }

    private func write() async -> CookieStoreError? {
        let saved = revision
        let cookies = jar.cookies(at: time.now).filter { keepsSessionCookies || $0.isPersistent }
        let outcome = await CookieFile.onLane { [file] () throws(CookieStoreError) in try file.write(cookies) }
        saving = nil
        if case .failure(let error) = outcome { return error }
        savedRevision = saved
        return nil
    }
}
