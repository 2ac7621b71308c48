/// Which failure was reported last: a store that cannot be opened fails each call the same way, and that is news once.
package struct FailureReports: Sendable {
    private var last: (kind: CacheStoreError.Kind, detail: String)?

    package init() {}

    /// Returns whether a failure of opening is to be reported: it is the first since the store could be opened, or differs from the last.
    package mutating func isNews(_ error: CacheStoreError) -> Bool {
        defer { last = (error.kind, error.detail) }
        return last.map { $0 != (error.kind, error.detail) } ?? true
    }

    /// Notes that the store could be opened.
    package mutating func succeeded() { last = nil }
}
