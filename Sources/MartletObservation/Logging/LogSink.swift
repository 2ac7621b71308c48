internal import MartletSystem

#if canImport(os)
internal import os
#endif

/// The destination to which a ``LoggingObserver`` or a ``LoggingInterceptor`` writes its entries.
public struct LogSink: Sendable {
    private let accepts: @Sendable (LogEntry.Level) -> Bool
    private let write: @Sendable (LogEntry) -> Void
    /// Returns the destination of the entries of a call, or nil if it is `write`.
    private let makeWriter: (@Sendable () -> @Sendable (LogEntry) -> Void)?

    /// Creates a sink that calls a closure with each entry. Concurrent calls run it on any task, and wait until it returns.
    public init(_ write: @escaping @Sendable (LogEntry) -> Void) { self.init({ _ in true }, write, nil) }

    /// Creates a sink that refuses levels, and writes the entries of each call with a closure of its own.
    ///
    /// - Parameters:
    ///   - accepts: Whether entries of a level are written. The texts of others are not created.
    ///   - makeWriter: Returns what writes the entries of a call. Called on the task of the call when it begins, so that it can use
    ///     task-local values, which the tasks of later entries may not have.
    package init(
        accepting accepts: @escaping @Sendable (LogEntry.Level) -> Bool,
        makeWriter: @escaping @Sendable () -> @Sendable (LogEntry) -> Void
    ) {
        self.init(accepts, { makeWriter()($0) }, makeWriter)
    }

    private init(
        _ accepts: @escaping @Sendable (LogEntry.Level) -> Bool, _ write: @escaping @Sendable (LogEntry) -> Void,
        _ makeWriter: (@Sendable () -> @Sendable (LogEntry) -> Void)?
    ) {
        self.accepts = accepts
        self.write = write
        self.makeWriter = makeWriter
    }

    /// The sink for a call that begins now in the current task.
    var forCall: LogSink { makeWriter.map { LogSink(accepts, $0(), nil) } ?? self }

    /// Returns whether entries of a level are written.
    func accepts(_ level: LogEntry.Level) -> Bool { accepts(level) }

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
    ///   - subsystem: The subsystem of the log. Default: `Martlet`.
    ///   - category: The category of the log. Default: `HTTP`.
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

/// Writes to standard error without buffering, so that a crash loses no entry and entries do not interleave.
enum StandardError {
    private static let entries = OrderedWriter { writeAll($0, to: 2) }

    static func write(_ text: String) { entries.write(text) }

    /// Writes all bytes to a descriptor. Errors are ignored, so that a log that cannot be written does not fail the call.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in systemWrite(descriptor, bytes.baseAddress, bytes.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Writes texts one at a time in the order of the calls, and holds no lock while it writes.
///
/// The first caller writes, and also writes the texts that other callers add meanwhile; their calls return immediately. After ``maxRounds``
/// a new thread continues, so that no call writes for others indefinitely.
final class OrderedWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// The number of texts dropped since the last accepted text.
        var dropped = 0
        var isWriting = false

        /// Appends a line with the number of dropped texts.
        mutating func noteDropped() {
            guard dropped > 0 else { return }
            waiting += "WARNING log entries dropped: \(dropped), because standard error was blocked\n".utf8
            dropped = 0
        }
    }

    private let state = Locked(State())
    private let limit: Int
    private let output: @Sendable ([UInt8]) -> Void

    /// The maximum number of batches that one caller writes.
    private static let maxRounds = 16

    /// - Parameters:
    ///   - limit: The number of bytes that may be queued while a caller writes. A longer text is accepted only when the queue is empty.
    ///   - output: Writes bytes, and may block. Calls never overlap.
    init(limit: Int = 1_000_000, to output: @escaping @Sendable ([UInt8]) -> Void) {
        self.limit = limit
        self.output = output
    }

    func write(_ text: String) {
        let isFirst = state.withLock { state in
            guard state.waiting.isEmpty || state.waiting.count + text.utf8.count <= limit else {
                state.dropped += 1
                return false
            }
            state.noteDropped()
            state.waiting += text.utf8
            return !exchange(&state.isWriting, with: true)
        }
        if isFirst { writeWaiting(rounds: OrderedWriter.maxRounds) }
    }

    private func writeWaiting(rounds: Int) {
        var left = rounds
        while let bytes = next() {
            output(bytes)
            left -= 1
            guard left == 0 else { continue }
            do { return try BackgroundThread.start(name: "martlet.log") { self.writeWaiting(rounds: .max) } } catch { left = rounds }
        }
    }

    /// Removes and returns all queued bytes. Returns nil if there are none; the next caller then writes.
    private func next() -> [UInt8]? {
        state.withLock { state in
            state.noteDropped()
            let bytes = state.waiting
            state.waiting = []
            state.isWriting = !bytes.isEmpty
            return bytes.isEmpty ? nil : bytes
        }
    }
}
