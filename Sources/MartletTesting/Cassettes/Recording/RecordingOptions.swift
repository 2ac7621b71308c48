/// How a ``RecordingTransport`` records.
public struct RecordingOptions: Sendable {
    /// When the file is written.
    public enum Flush: Sendable, Hashable {
        /// By ``RecordingTransport/save()`` alone. Quick, and a crash before it loses the recording.
        case onSave
        /// After each exchange too, before its caller gets the answer, or its end when it is streamed: what an exchange has given is in
        /// the file, even if the process then crashes. The whole file is written each time.
        case everyExchange
    }

    /// What is hidden. Default: what is known to be secret, or named like it.
    public var redaction: CassetteRedaction
    /// When the file is written. Default: by `save()`.
    public var flush: Flush
    /// How many bytes a body may have to be kept, in a request and in an answer. Default: 10 MB (10,000,000). The entry of a larger one
    /// says that it was left out, and a replay of it fails.
    public var maxBodyBytes: Int

    /// Options, each with its default.
    public init(redacting redaction: CassetteRedaction = .standard, flush: Flush = .onSave, maxBodyBytes: Int = 10_000_000) {
        self.redaction = redaction
        self.flush = flush
        self.maxBodyBytes = max(0, maxBodyBytes)
    }
}
