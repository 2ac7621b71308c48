#if canImport(os)
internal import os
#endif

/// The destination to which a ``LoggingObserver`` or a ``LoggingInterceptor`` writes its entries.
public struct LogSink: Sendable {
    private let write: @Sendable (LogEntry) -> Void

    /// Creates a sink that calls a closure with each entry. Concurrent calls run it on any task, and wait until it returns.
    public init(_ write: @escaping @Sendable (LogEntry) -> Void) { self.write = write }

    /// The sink that writes each entry to standard error, unbuffered, such as `INFO #3 ← 200 OK …`.
    ///
    /// Entries keep their order. A call that is writing also writes the entries of other calls, which do not wait. While the reader of
    /// standard error has stopped, at most 1 MB of entries is queued; further entries are dropped and replaced by a line with their number.
    public static var standardError: LogSink {
        LogSink { StandardError.write("\($0.level)".uppercased() + " " + $0.message + "\n") }
    }

    #if canImport(os)
    /// Returns a sink that writes to the system's log (`os.Logger`) at the level of each entry.
    ///
    /// Messages are public in the log. Their secrets are hidden, and a release build logs no personal data unless it is permitted: see
    /// ``LoggingObserver``.
    ///
    /// - Parameters:
    ///   - subsystem: the subsystem of the log. Default: `Martlet`.
    ///   - category: the category of the log. Default: `HTTP`.
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

    /// The platform's sink: the system's log on Apple platforms, standard error on Linux.
    public static var platform: LogSink {
        #if canImport(os)
        .system()
        #else
        .standardError
        #endif
    }

    /// Writes an entry to the sink's destination.
    public func callAsFunction(_ entry: LogEntry) { write(entry) }
}
