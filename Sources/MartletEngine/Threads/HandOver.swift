internal import MartletSystem

/// Makes the order of a continuation's `resume` and the code after its `await` visible to ThreadSanitizer, which does not see it if the
/// continuation is resumed before its task has suspended. In debug builds, both sides take a lock.
package struct HandOver: Sendable {
    package init() {}

    #if DEBUG
    private let order = Locked(0)
    package func mark() { order.withLock { $0 += 1 } }
    #else
    @inlinable package func mark() {}
    #endif
}
