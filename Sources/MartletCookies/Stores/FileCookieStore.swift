public import MartletEssentials

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
/// Use one store for a file. Of two stores, also in two processes, the last one to save replaces the other's changes.
public struct FileCookieStore: CookieStore {
    private let state: SavedState<SavedCookies>

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
        report: @escaping @Sendable (StateStoreError) -> Void = { _ in }
    ) {
        state = SavedState(
            SavedCookies(jar: CookieJar(limits: limits), keepsSessionCookies: keepsSessionCookies), file, time: time,
            report: report)
    }

    /// Calls `body` with the jar, saves it if it has changed, and returns the result.
    ///
    /// - Throws: `.unavailable` if the file can't be read or written, and `.full`. After a failure to save, the jar keeps the changes. They
    ///   are saved with the next one.
    public func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) async throws(StateStoreError) -> Value {
        try await state.with { body(&$0.jar) }
    }
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
