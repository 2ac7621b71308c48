import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The CPU time of this process.
public enum ProcessorTime {
    /// Returns the seconds that all threads have used, user and system.
    public static func seconds() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
