internal import MartletSystem

extension AsyncStream where Element: Sendable {
    /// Creates a stream of the given elements.
    package init(chunks: [Element]) {
        let rest = Locked(chunks[...])
        self.init { rest.withLock { $0.popFirst() } }
    }
}
