#if TSAN
internal import Foundation
#elseif canImport(os)
internal import os
#else
internal import Synchronization
#endif

/// A value behind a lock: the one way in which this package shares mutable state.
///
/// The lock is the platform's own: `OSAllocatedUnfairLock` on Apple's platforms, `Mutex` on Linux, and `NSLock` in builds
/// for ThreadSanitizer (`-DTSAN`), which reports `Mutex` falsely. Never suspend, and never call out, while holding it.
package final class Locked<State>: Sendable {
    #if TSAN
    private let lock = NSLock()
    // Proof: `state` is only read or written between `lock` and `unlock`.
    nonisolated(unsafe) private var state: State

    package init(_ state: sending State) { self.state = state }

    package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> sending Result) throws(Failure) -> sending Result
    {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
    #elseif canImport(os)
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
    private let lock: Mutex<State>

    package init(_ state: sending State) { lock = Mutex(state) }

    package func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock(body)
    }
    #endif
}
