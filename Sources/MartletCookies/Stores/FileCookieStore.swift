public import MartletEssentials

/// A store that keeps cookies in a file, which only its owner can read.
///
/// ```swift
/// let file = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".config/birds/cookies.json")
/// let cookies = CookieInterceptor(store: FileCookieStore(file))
/// ```
///
/// The file is read at the first use, and its permissions are 0600. It must belong to the user of the process and must not be a symbolic
/// link. A damaged file is renamed to `cookies.json.corrupt` and reported, and the store begins without cookies. A stored cookie that
/// breaks a rule, such as that of a newer list of public suffixes, is left out. A new time of use (``Cookie/lastAccessed``) alone is saved
/// with the next change.
///
/// Changes are saved together, a second after the first of them: the file is replaced in one step, so that it is always complete. They are
/// also saved when the last reference to the store is released, and when the process exits normally. A process that crashes or is killed
/// loses at most the changes of the last second. Call ``save()`` before an app is suspended, and where a server handles a signal that
/// ends it.
///
/// Use one store for a file. Of two stores, also in two processes, the last one to save replaces the other's changes.
public struct FileCookieStore: CookieStore {
    private let state: SavedState<SavedCookies>

    /// Creates a store over a file, which need not exist. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - file: The file. Missing folders are created with the permissions 0700.
    ///   - keepsSessionCookies: Whether cookies without an expiry are saved too. Default: false; they end with the process.
    ///   - limits: The limits. Default: 3,000 cookies, 180 of a domain, 4,096 bytes each.
    ///   - saveDelay: The maximum time between a change and the write that saves it. Default: 1 second. Zero saves each change before its
    ///     call returns: a file of 3,000 large cookies has 12 MB.
    ///   - time: The clock of the delay, and by which expired cookies are left out. Default: the system's.
    ///   - report: Called for a damaged file, which was renamed, and for a failure to save after the delay, when the store is released or
    ///     when the process exits. Default: does nothing.
    public init(
        _ file: URL, keepsSessionCookies: Bool = false, limits: CookieJar.Limits = CookieJar.Limits(), saveDelay: Duration = .seconds(1),
        time: any TimeSource = .system, report: @escaping @Sendable (StateStoreError) -> Void = { _ in }
    ) {
        state = SavedState(
            SavedCookies(jar: CookieJar(limits: limits), keepsSessionCookies: keepsSessionCookies), file, delay: saveDelay, time: time,
            report: report)
    }

    /// Calls `body` with the jar and returns the result. If the jar has changed, it is saved after the delay.
    ///
    /// - Throws: `.unavailable` if the file can't be read. After a failure to save, and without a delay, the next change is saved before
    ///   its call returns, and `.unavailable` or `.full` is thrown if that fails. The jar keeps the changes.
    public func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) async throws(StateStoreError) -> Value {
        try await state.with { body(&$0.jar) }
    }

    /// Saves the changes that are not in the file yet, and returns when they are.
    ///
    /// - Throws: `.unavailable` if the file can't be written, and `.full`. The jar keeps the changes.
    public func save() async throws(StateStoreError) { try await state.save() }
}

/// The cookies of a ``FileCookieStore``.
struct SavedCookies: SavedValue {
    struct Document: StateDocument {
        static let currentVersion = 1
        var version = 1
        var cookies: StoredCookies
    }

    var jar: CookieJar
    let keepsSessionCookies: Bool

    var changeCount: Int { jar.changeCount }

    mutating func restore(_ document: Document, at now: Date) {
        _ = jar.insert(contentsOf: document.cookies.cookies, at: now)
    }

    func document(at now: Date) -> Document {
        Document(cookies: StoredCookies(jar.cookies(at: now).filter { keepsSessionCookies || $0.isPersistent }))
    }
}
