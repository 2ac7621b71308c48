#if canImport(os)
internal import os
#endif

/// Where log entries go.
public struct LogSink: Sendable {
    private let write: @Sendable (LogEntry) -> Void

    /// A sink of your own. It is called from any task, for many calls at once, and holds them up while it runs.
    public init(_ write: @escaping @Sendable (LogEntry) -> Void) { self.write = write }

    /// Writes each entry to standard error, unbuffered and whole: `INFO #3 ← 200 OK …`.
    ///
    /// Entries keep their order. A call that is writing also writes the entries of other calls, which do not wait. While the reader of
    /// standard error has stopped, at most 1 MB of entries is queued; further entries are dropped and replaced by a line with their number.
    public static var standardError: LogSink {
        LogSink { StandardError.write("\($0.level)".uppercased() + " " + $0.message + "\n") }
    }

    #if canImport(os)
    /// The system's log (`os.Logger`), at the level of each entry. Messages are public in it: their secrets are hidden, and a
    /// release build logs no personal data unless told otherwise (``LoggingInterceptor``).
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
