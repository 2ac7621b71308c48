#if canImport(os)
internal import os
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Where log entries go.
public struct LogSink: Sendable {
    private let write: @Sendable (LogEntry) -> Void

    /// A sink of your own. It is called from any task, for many calls at once, and holds them up while it runs.
    public init(_ write: @escaping @Sendable (LogEntry) -> Void) { self.write = write }

    /// Standard error, each entry written at once: `INFO #3 ← 200 OK …`.
    public static var standardError: LogSink {
        LogSink { StandardError.write("\($0.level)".uppercased() + " " + $0.message + "\n") }
    }

    #if canImport(os)
    /// The system's log (`os.Logger`), at the level of each entry. Messages are public in it, since their secrets are hidden already.
    ///
    /// Default: subsystem `Martlet`, category `HTTP`.
    public static func system(subsystem: String = "Martlet", category: String = "HTTP") -> LogSink {
        let logger = os.Logger(subsystem: subsystem, category: category)
        return LogSink { entry in
            switch entry.level {
            case .debug: logger.debug("\(entry.message, privacy: .public)")
            case .info: logger.info("\(entry.message, privacy: .public)")
            case .warning: logger.notice("\(entry.message, privacy: .public)")
            case .error: logger.error("\(entry.message, privacy: .public)")
            }
        }
    }
    #endif

    /// The platform's: the system's log on Apple's platforms, standard error elsewhere.
    public static var platform: LogSink {
        #if canImport(os)
        .system()
        #else
        .standardError
        #endif
    }

    /// Hands over an entry.
    public func callAsFunction(_ entry: LogEntry) { write(entry) }
}

/// Standard error, without buffers, so that nothing is lost in a crash and no line is torn by another.
enum StandardError {
    /// Of some size: the thread sanitizer takes the address of nothing for that of the lock.
    private static let turn = Locked(0)

    static func write(_ text: String, to descriptor: Int32 = 2) {
        // One after the other: a pipe takes a long entry in pieces, and another one's would come between them.
        turn.withLock { _ in writeAll(text, to: descriptor) }
    }

    private static func writeAll(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in systemWrite(descriptor, bytes.baseAddress, bytes.count) }
            if count < 0, errno == EINTR { continue }
            // A log that can't be written is no reason to fail.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Darwin.write(descriptor, bytes, count)
        #endif
    }
}
