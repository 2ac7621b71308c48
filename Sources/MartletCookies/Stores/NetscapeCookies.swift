public import MartletEssentials

/// The format of Netscape's `cookies.txt`, which curl and other programs read and write: a line for each cookie, with seven fields
/// separated by tabs.
enum NetscapeCookies {
    /// Returns the lines of cookies. The format can't hold a cookie with a tab, or without a name: curl skips the empty field and reads the
    /// value as the name. They are left out.
    static func text(of cookies: [Cookie]) -> String {
        var lines = ["# Netscape HTTP Cookie File", ""]
        for cookie in cookies where !cookie.name.isEmpty {
            let domain = (cookie.isHTTPOnly ? httpOnlyMark : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain
            let expires = cookie.expires.map { String(Int(min(max(1, $0.timeIntervalSince1970.rounded(.up)), latest))) } ?? "0"
            let fields = [
                domain, flag(!cookie.isHostOnly), cookie.path, flag(cookie.isSecure), expires, cookie.name, cookie.value,
            ]
            if !fields.contains(where: { $0.utf8.contains(0x09) }) { lines.append(fields.joined(separator: "\t")) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the cookies of a text with the numbers of their lines, counted from 1, and those of the lines that are not cookies.
    static func cookies(in text: String, at now: Date) -> (cookies: [(line: Int, cookie: Cookie)], invalid: [Int]) {
        var cookies: [(line: Int, cookie: Cookie)] = [], invalid: [Int] = []
        for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let content = content(of: Substring(line)) else { continue }
            if let cookie = cookie(content.text, isHTTPOnly: content.isHTTPOnly, now) {
                cookies.append((index + 1, cookie))
            } else {
                invalid.append(index + 1)
            }
        }
        return (cookies, invalid)
    }

    private static let httpOnlyMark = "#HttpOnly_"
    /// The last second of the year 9999. Later dates may exceed the largest integer.
    private static let latest = 253_402_300_799.0

    private static func flag(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    /// Returns a line without its mark, or nil for a comment and an empty line.
    private static func content(of line: Substring) -> (text: Substring, isHTTPOnly: Bool)? {
        if line.hasPrefix(httpOnlyMark) { return (line.dropFirst(httpOnlyMark.count), true) }
        return line.isEmpty || line.hasPrefix("#") ? nil : (line, false)
    }

    private static func cookie(_ line: Substring, isHTTPOnly: Bool, _ now: Date) -> Cookie? {
        let fields = line.utf8.split(separator: 0x09, omittingEmptySubsequences: false).map { String(Substring($0)) }
        // curl leaves out the tab before an empty value. Python's MozillaCookieJar writes the expiry of a session cookie as an empty text.
        guard fields.count == 7 || fields.count == 6, let seconds = fields[4].isEmpty ? 0 : Double(fields[4]), seconds.isFinite else {
            return nil
        }
        let domain = fields[0].hasPrefix(".") ? String(fields[0].dropFirst()) : fields[0]
        return try? Cookie(
            fields[5], fields.count == 7 ? fields[6] : "", domain: domain, path: fields[2],
            includesSubdomains: fields[1].equalsIgnoringCase("TRUE"), expires: seconds == 0 ? nil : Date(timeIntervalSince1970: seconds),
            isSecure: fields[3].equalsIgnoringCase("TRUE"), isHTTPOnly: isHTTPOnly, created: now)
    }
}

extension CookieStore {
    /// Returns the cookies that have not expired in Netscape's format, which curl reads with `--cookie FILE`.
    ///
    /// The format has no `SameSite` and no times of creation and use. It contains the values: write it where others can't read it. Cookies
    /// without a name, which curl reads as a name, and those with a tab in a field are left out.
    ///
    /// - Parameter now: The current time. Default: that of the system.
    public func netscapeText(at now: Date = Date()) async throws(StateStoreError) -> String {
        NetscapeCookies.text(of: try await cookies(at: now))
    }

    /// Stores the cookies of a text in Netscape's format, such as a file that curl wrote with `--cookie-jar FILE`, or a
    /// `MozillaCookieJar` of Python.
    ///
    /// ```swift
    /// let cookies = CookieInterceptor()
    /// let refused = try await cookies.store.insertNetscape(String(contentsOf: file, encoding: .utf8))
    /// if !refused.isEmpty { print("lines that are not stored: \(refused)") }
    /// ```
    ///
    /// An expired cookie removes the one that it would replace. An expiry of 0, or an empty one, means a session cookie, and the prefix
    /// `#HttpOnly_` a cookie with that attribute. A refused line does not prevent the others.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - now: The current time. Default: that of the system.
    /// - Returns: The numbers of the lines that are not cookies, break a rule or exceed a limit of the store, in order, counted from 1.
    public func insertNetscape(_ text: String, at now: Date = Date()) async throws(StateStoreError) -> [Int] {
        let (cookies, invalid) = NetscapeCookies.cookies(in: text, at: now)
        let refused = try await withJar { jar in
            cookies.filter { item in (try? jar.insert(item.cookie, at: now)) == nil }.map(\.line)
        }
        return (invalid + refused).sorted()
    }
}
