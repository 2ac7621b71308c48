/// Decides which opening failures to report. A store that cannot be opened fails every call in the same way, which is reported once.
package struct FailureReports: Sendable {
    private var last: (kind: CacheStoreError.Kind, detail: String)?

    package init() {}

    /// Returns whether to report an opening failure: it is the first since the store was last open, or it differs from the last one.
    package mutating func isNews(_ error: CacheStoreError) -> Bool {
        defer { last = (error.kind, error.detail) }
        return last.map { $0 != (error.kind, error.detail) } ?? true
    }

    /// Records that the store could be opened.
    package mutating func succeeded() { last = nil }
}
