internal import MartletSystem

/// Makes the order of a continuation's `resume` and the code after its `await` visible to ThreadSanitizer, which does not see it if the
/// continuation is resumed before its task has suspended. In debug builds, both sides take a lock.
struct HandOver: Sendable {
    #if DEBUG
    private let order = Locked(0)
    func mark() { order.withLock { $0 += 1 } }
    #else
    @inline(__always) func mark() {}
    #endif
}
