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
    /// Entries below the logger's level cost nothing. Errors are `error`, statuses from 400 to 499 `warning`, other outcomes `info`, and
    /// requests `debug`. Secrets are hidden before the logger gets an entry, and metadata contain no more than `LogDetail.outline` in any
    /// build.
    ///
    /// The metadata of the task's logger (`Logger.current`, from swift-log 1.14 on) at the start of the call are added to its entries.
    ///
    /// - Parameter logger: The logger. Its own metadata and its metadata provider work as for any other entry.
    public static func logger(_ logger: Logger) -> LogSink {
        LogSink(makeForCall: {
            let inherited = inheritedMetadata(Logger.self)
            return LogSink(accepting: { logger.logLevel <= $0.ofLogger }) { entry in
                var metadata = CallMetadata(entry).values
                if !inherited.isEmpty { metadata.merge(inherited) { new, _ in new } }
                logger.log(level: entry.level.ofLogger, "\(entry.redactedMessage)", metadata: metadata)
            }
        })
    }
}

extension LogEntry {
    /// The message. An app's own words about errors, which only entries of failures and entries of several lines contain, may contain what
    /// its server said.
    fileprivate var redactedMessage: String {
        switch event {
        case .failure, .attempt: Redaction.text(message)
        default: message.utf8.contains(UInt8(ascii: "\n")) ? Redaction.text(message) : message
        }
    }
}

extension LogEntry.Level {
    fileprivate var ofLogger: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
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
