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
