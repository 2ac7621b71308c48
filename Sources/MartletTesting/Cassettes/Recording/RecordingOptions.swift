/// The options of a ``RecordingTransport``: masking, the times of writing, and the maximum size of bodies.
public struct RecordingOptions: Sendable {
    /// When a recording is written to its file.
    public enum Flush: Sendable, Hashable {
        /// The file is written only by ``RecordingTransport/save()``, which is fast. A crash before it loses the recording.
        case onSave
        /// The file is also written after each exchange, before its caller receives the response or the end of a streamed one. A later
        /// crash does not lose the exchange. Writes the whole file each time.
        case everyExchange
    }

    /// The rules by which secrets are masked. Default: known secrets and values with secret names.
    public var redaction: CassetteRedaction
    /// When the file is written. Default: by `save()` only.
    public var flush: Flush
    /// The maximum size in bytes of a request or response body; a larger one is left out of the recording. Default: 10 MB (10,000,000). The
    /// entry of a larger body notes that it was left out, and replaying it fails.
    public var maxBodyBytes: Int

    /// Creates options. Each parameter has the default of its property.
    public init(redacting redaction: CassetteRedaction = .standard, flush: Flush = .onSave, maxBodyBytes: Int = 10_000_000) {
        self.redaction = redaction
        self.flush = flush
        self.maxBodyBytes = max(0, maxBodyBytes)
    }
}
