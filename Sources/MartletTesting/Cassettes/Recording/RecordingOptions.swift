/// Options of a ``RecordingTransport``.
public struct RecordingOptions: Sendable {
    /// The times at which the file is written.
    public enum Flush: Sendable, Hashable {
        /// Only by ``RecordingTransport/save()``. Fast, but a crash before it loses the recording.
        case onSave
        /// Also after each exchange, before its caller receives the response or the end of a streamed one. A later crash does not lose the
        /// exchange. Writes the whole file each time.
        case everyExchange
    }

    /// What is masked. Default: known secrets and values with secret names.
    public var redaction: CassetteRedaction
    /// When the file is written. Default: by `save()` only.
    public var flush: Flush
    /// The maximum size of a recorded request or response body in bytes. Default: 10 MB (10,000,000). The entry of a larger body notes that
    /// it was left out, and replaying it fails.
    public var maxBodyBytes: Int

    /// Creates options. Each parameter has the default of its property.
    public init(redacting redaction: CassetteRedaction = .standard, flush: Flush = .onSave, maxBodyBytes: Int = 10_000_000) {
        self.redaction = redaction
        self.flush = flush
        self.maxBodyBytes = max(0, maxBodyBytes)
    }
}
