internal import MartletHTTP
internal import MartletSystem

/// Names of endpoints and templates of paths with their secrets masked.
///
/// They are kept, because a program has few of them, and masking one takes longer than the rest of an entry.
package enum RedactedNames {
    private static let lines = Locked(BoundedMap<String, String>(limit: 500))

    /// Returns a name in one line with secrets masked.
    package static func line(_ name: String) -> String {
        if let line = lines.withLock({ $0.use(name) { $0 } }) { return line }
        let line = Redaction.line(name)
        // A name of the app may contain values.
        if name.utf8.count <= 200 { _ = lines.withLock { $0.insert(line, for: name) } }
        return line
    }
}
