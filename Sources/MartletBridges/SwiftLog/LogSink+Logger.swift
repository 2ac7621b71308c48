#if SwiftLog
public import Logging
public import MartletObservation

extension LogSink {
    /// Returns a sink that writes to a logger of swift-log, with the facts of each entry as metadata.
    ///
    /// ```swift
    /// let client = HTTPClient(baseURL: url, observers: [LoggingObserver(to: .logger(Logger(label: "api")))])
    /// ```
    ///
    /// Errors are `error`, statuses from 400 to 499 `warning`, other outcomes `debug`, and requests `trace`: swift-log advises libraries
    /// not to log normal operation at `info`. Entries below the logger's level are not created. Secrets are hidden before the logger gets
    /// an entry, and metadata contain no more than `LogDetail.outline` in any build.
    ///
    /// The metadata of the task's logger (`Logger.current`, from swift-log 1.14 on) at the start of the call are added to its entries.
    ///
    /// - Parameters:
    ///   - logger: The logger. Its own metadata and its metadata provider work as for any other entry.
    ///   - outcomeLevel: The level of calls that end without an error or a status from 400 on. Default: `.debug`. With `.info`, the log of
    ///     a service at its usual level has an entry for each call.
    public static func logger(_ logger: Logger, outcomeLevel: Logger.Level = .debug) -> LogSink {
        LogSink(accepting: { logger.logLevel <= Logger.Level($0, outcomeLevel) }) {
            let inherited = inheritedMetadata(Logger.self)
            return { entry in
                var metadata = CallMetadata(entry).values
                if !inherited.isEmpty { metadata.merge(inherited) { new, _ in new } }
                logger.log(level: Logger.Level(entry.level, outcomeLevel), Logger.Message(stringLiteral: entry.message), metadata: metadata)
            }
        }
    }
}

extension Logger.Level {
    fileprivate init(_ level: LogEntry.Level, _ outcomeLevel: Logger.Level) {
        self =
            switch level {
            case .debug: .trace
            case .info: outcomeLevel
            case .warning: .warning
            case .error: .error
            }
    }
}

/// A type that knows the logger of the task.
///
/// `Logger` has `current` since swift-log 1.14, which then is the witness. With an earlier version, the default below is.
private protocol TaskLogger {
    static var current: Logger { get }
}

extension TaskLogger {
    static var current: Logger { Logger(label: "") { _ in SwiftLogNoOpLogHandler() } }
}

extension Logger: TaskLogger {}

/// Returns the metadata of the task's logger.
private func inheritedMetadata(_ type: (some TaskLogger).Type) -> Logger.Metadata { type.current.handler.metadata }
#endif
