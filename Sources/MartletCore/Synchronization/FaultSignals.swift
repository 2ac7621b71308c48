#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals that report a fault of the thread that receives them.
///
/// A blocked fault signal ends the process without the handler of a crash reporter, a backtracer or a debugger.
package enum FaultSignals {
    /// SEGV, BUS, ILL, TRAP, FPE and SYS, raised by an instruction of the thread itself, and ABRT.
    package static let all: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGABRT]

    /// Runs `body` while the calling thread blocks all signals except these. A thread started by `body` inherits the mask.
    static func withOthersBlocked<Result>(_ body: () -> Result) -> Result {
        var others = sigset_t(), before = sigset_t()
        sigfillset(&others)
        for signal in all { sigdelset(&others, signal) }
        pthread_sigmask(SIG_SETMASK, &others, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}
