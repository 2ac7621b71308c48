/// Starts threads for blocking work, such as `poll` or a name lookup, which must not occupy a thread of Swift's task pool.
///
/// Every thread that this package creates is started here. A new thread blocks all signals except ``FaultSignals/all``, so that the
/// program's own threads handle signals from outside.
package enum BackgroundThread {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Runs `body` on a new detached thread.
    ///
    /// - Parameter name: The thread's name in debuggers; Linux keeps the first 15 bytes.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        let retained = Unmanaged.passRetained(Body(name, body))
        let code = FaultSignals.withOthersBlocked { create(retained.toOpaque()) }
        guard code != 0 else { return }
        retained.release()
        throw SystemFailure(what: "the thread could not be started", code: code)
    }

    private static func create(_ argument: UnsafeMutableRawPointer) -> Int32 {
        #if canImport(Darwin)
        var created: pthread_t?
        let code = pthread_create(&created, nil, entry, argument)
        guard code == 0, let thread = created else { return code }
        #else
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, entry, argument)
        guard code == 0 else { return code }
        #endif
        return pthread_detach(thread)
    }

    // A separate property, because the compiler (6.3) crashes on a closure that is passed to `pthread_create` directly.
    #if canImport(Darwin)
    private static var entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { { BackgroundThread.run($0) } }
    #else
    private static var entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { { BackgroundThread.run($0) } }
    #endif

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        name(body.name)
        body.run()
        return nil
    }

    private static func name(_ name: String) {
        #if canImport(Darwin)
        _ = pthread_setname_np(name)
        #else
        // Swift does not import `pthread_setname_np` from glibc. Writing this file has the same effect.
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        _ = close(file)
        #endif
    }
}

/// The signals that report a fault of the receiving thread.
///
/// If a fault signal is blocked, the process ends without running the handler of a crash reporter, backtracer or debugger.
enum FaultSignals {
    /// SEGV, BUS, ILL, TRAP, FPE and SYS, which an instruction of the thread raises, and ABRT.
    static let all: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGABRT]

    /// Runs `body` while the calling thread blocks all other signals. A thread that `body` starts inherits the mask.
    static func withOthersBlocked<Result>(_ body: () -> Result) -> Result {
        var others = sigset_t(), before = sigset_t()
        sigfillset(&others)
        for signal in all { sigdelset(&others, signal) }
        pthread_sigmask(SIG_SETMASK, &others, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}
