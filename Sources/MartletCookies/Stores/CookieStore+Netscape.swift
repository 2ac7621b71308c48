public import MartletEssentials

extension CookieStore {
    /// Returns the cookies that have not expired in Netscape's format, which curl reads with `--cookie FILE`.
    ///
    /// The format has no `SameSite` and no times of creation and use. It contains the values: write it where others can't read it. Cookies
    /// without a name, which curl reads as a name, and those with a tab in a field are left out.
    ///
    /// - Parameter now: The current time. Default: that of the system.
    public func netscapeText(at now: Date = Date()) async throws(CookieStoreError) -> String {
        NetscapeCookies.text(of: try await cookies(at: now))
    }

    /// Stores the cookies of a text in Netscape's format, such as a file that curl wrote with `--cookie-jar FILE`.
    ///
    /// ```swift
    /// let cookies = CookieInterceptor()
    /// let unread = try await cookies.store.insertNetscape(String(contentsOf: file, encoding: .utf8))
    /// ```
    ///
    /// An expired cookie removes the one that it would replace. An expiry of 0 means a session cookie, and the prefix `#HttpOnly_` a cookie
    /// with that attribute.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - now: The current time. Default: that of the system.
    /// - Returns: The numbers of the lines that are not cookies or break a rule, counted from 1.
    @discardableResult
    public func insertNetscape(_ text: String, at now: Date = Date()) async throws(CookieStoreError) -> [Int] {
        let (cookies, invalid) = NetscapeCookies.cookies(in: text, at: now)
        try await set(cookies, at: now)
        return invalid
    }
}
