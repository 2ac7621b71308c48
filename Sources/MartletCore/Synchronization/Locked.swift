#if canImport(os)
internal import os
#elseif canImport(Glibc)
internal import Glibc
#endif

/// A value behind a lock: the one way in which this package shares mutable state.
///
/// The lock is the platform's own: `OSAllocatedUnfairLock` on Apple's platforms, a pthread mutex on Linux, which ThreadSanitizer
/// understands (it reports the standard library's `Mutex` falsely). Never suspend, and never call out, while holding it.
package final class Locked<State>: Sendable {
    #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Unchecked>

    /// Proof: the wrapped state is only touched while the unfair lock that holds it is taken.
    private struct Unchecked: @unchecked Sendable { var state: State }

    package init(_ state: sending State) { lock = OSAllocatedUnfairLock(uncheckedState: Unchecked(state: state)) }

    package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> sending Result) throws(Failure) -> sending Result
    {
        let outcome = lock.withLockUnchecked { held -> Sent<Swift.Result<Result, Failure>> in
            do throws(Failure) { return Sent(.success(try body(&held.state))) } catch { return Sent(.failure(error)) }
        }
        return try outcome.value.get()
    }

    /// Proof: `body` gives its result away (`sending`), so that nobody else can reach it; the closure hides this from the compiler.
    private struct Sent<Value>: @unchecked Sendable {
        nonisolated(unsafe) let value: Value
        init(_ value: Value) { self.value = value }
    }
    #else
    // Proof: the mutex is made before anybody can see it and destroyed when nobody can any more; it is not moved in between.
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Proof: `state` is only read or written while `mutex` is held.
    nonisolated(unsafe) private var state: State

    package init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> sending Result) throws(Failure) -> sending Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
    #endif
}
