// MartletSystem: services of the operating system and the Swift runtime for the other targets.
//
// - Locks: `Locked` (the one lock), `CopyOnWrite`, `OneShot` (a value that is set once and awaited) and `CancelSlot`.
// - Threads: threads, executors for blocking calls, and tasks that start on the caller's thread.
// - Descriptors: non-blocking sockets and their addresses, and messages to a thread that polls.
// - Time: `TimeSource`, `SystemTime` and timers.
// - `BoundedMap`: the one map with a limit, and the order in which its entries are removed.
// - `SystemLibrary`: the shared libraries that are opened at run time.
// - `RandomSource`: random numbers and UUID text.
//
// Time and random sources are public for users: MartletHTTP re-exports them by name. `Locked`, `OneShot` and `BoundedMap` are public so
// that they can be inlined. Users do not see them, because this target is not a product. Everything else is `package`.
//
// It also re-exports the system's C library, so that the choice between Glibc and Darwin is made once. Users do not see that either.
//
// Imports: MartletEssentials and the system's C library. Start with `Locked` and `TimeSource`.

#if canImport(Glibc)
@_exported public import Glibc
#else
@_exported public import Darwin
#endif
