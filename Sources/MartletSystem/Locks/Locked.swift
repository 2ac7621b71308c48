#if canImport(os)
public import os
#endif

/// A value protected by a lock. It holds all shared mutable state of this package.
///
/// The lock is `OSAllocatedUnfairLock` on Apple platforms and a pthread mutex on Linux, because ThreadSanitizer reports false positives for
/// the standard library's `Mutex`. While you hold it, do not suspend and do not call the caller's code.
public struct Locked<State>: Sendable {
    #if canImport(os)
    @usableFromInline let lock: OSAllocatedUnfairLock<Unchecked>

    // Proof: `state` is read and written only in `withLock`, while the unfair lock that contains it is held, and `init` takes it as
    // `sending`. `body` must not keep a reference to a non-Sendable object of the state; the compiler does not check that.
    @usableFromInline struct Unchecked: @unchecked Sendable {
        @usableFromInline var state: State
        @inlinable init(state: State) { self.state = state }
    }

    /// Creates a lock that protects `state`.
    @inlinable public init(_ state: sending State) { lock = OSAllocatedUnfairLock(uncheckedState: Unchecked(state: state)) }

    /// Runs `body` with the value while the lock is held, and returns its result.
    @inlinable
    public func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> sending Result) throws(Failure) -> sending Result
    {
        let outcome = lock.withLockUnchecked { held -> Sent<Swift.Result<Result, Failure>> in
            do throws(Failure) { return Sent(.success(try body(&held.state))) } catch { return Sent(.failure(error)) }
        }
        return try outcome.value.get()
    }

    // Proof: `body` returns its result as `sending`, so only the thread that called `withLock` can reach it. The lock's closure, which
    // runs on that thread, hides this from the compiler.
    @usableFromInline struct Sent<Value>: @unchecked Sendable {
        // Proof: written once, by `init`, and read once, by `withLock` on the same thread, which returns it as `sending`.
        @usableFromInline nonisolated(unsafe) let value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }
    #else
    // Proof: the reference never changes, and pthread's functions may be called on the mutex from any thread. `init` makes it before
    // another thread can reach it; the box destroys it when none can. The state is read and written only in `withLock`, while the mutex is
    // held, and `init` takes it as `sending`. `body` must not keep a reference to a non-Sendable object of the state; the compiler does not
    // check that.
    @usableFromInline nonisolated(unsafe) let box: ManagedBuffer<pthread_mutex_t, State>

    /// A mutex and the state in one allocation.
    @usableFromInline final class Box: ManagedBuffer<pthread_mutex_t, State> {
        @inlinable deinit {
            withUnsafeMutablePointers { mutex, state in
                pthread_mutex_destroy(mutex)
                state.deinitialize(count: 1)
            }
        }
    }

    /// Creates a lock that protects `state`.
    @inlinable public init(_ state: sending State) {
        box = Box.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        let (mutex, target) = box.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_init(mutex, nil)
        target.initialize(to: state)
    }

    /// Runs `body` with the value while the lock is held, and returns its result.
    @inlinable
    public func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> sending Result) throws(Failure) -> sending Result
    {
        let (mutex, state) = box.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        // The box must live until then.
        defer { withExtendedLifetime(box) { _ = pthread_mutex_unlock(mutex) } }
        return try body(&state.pointee)
    }
    #endif
}
