// MartletSystem: what the other targets need from the operating system and the Swift runtime.
//
// - Locks: `Locked` (the one lock) and `OneShot` (a value that is set once and awaited).
// - Threads: threads of our own, executors for blocking calls, tasks that begin at once.
// - Descriptors: non-blocking sockets and pipes, and the wake-up of a thread that polls.
// - Libraries: the shared libraries that are opened at run time.
// - Time: `TimeSource` and `SystemTime` (public), and timers.
// - Randomness: `RandomSource` (public) and UUID text.
//
// Everything else is `package`. Imports: the system's C library, Foundation(Essentials). Start with `Locked` and `TimeSource`.
