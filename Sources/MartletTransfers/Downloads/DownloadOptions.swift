/// The options for a download to a file: resumption, existing files, checks and limits.
public struct DownloadOptions: Sendable {
    /// What happens if a file with the target's name exists.
    @nonexhaustive public enum ExistingFile: Sendable, Hashable {
        /// The existing file is replaced in one step when the new one is complete.
        case replace
        /// The download fails with `.fileFailed` of the kind `.alreadyExists`, before anything is sent if the name is known.
        case fail
        /// The new file gets another name, such as `report 2.pdf`, and the existing one is kept.
        case keepBoth
    }

    /// Whether a later call for the same URL and file resumes a download that failed, if the server supports it (RFC 9110 §14). The
    /// received bytes then stay beside the target. Default: true. Only GET downloads can be resumed, also within a call.
    public var resumesAcrossCalls: Bool
    /// What happens if a file with the target's name exists, or nil to decide by the kind of target. Default: nil, which is
    /// ``ExistingFile/replace`` for a named target, and ``ExistingFile/keepBoth`` if the server chooses the name.
    public var existingFile: ExistingFile?
    /// The expected digest of the whole file, or nil; a file with another digest fails with `.integrityFailed`. The digests that the server
    /// sends (`Content-Digest`, `Repr-Digest`, RFC 9530) are always checked. Default: nil.
    public var checksum: ContentDigest?
    /// The number of consecutive failures, without a new byte between them, that ends the download. Each new byte resets the count.
    /// Default: 5. With 1, the first failure ends the download.
    public var maxFailures: Int
    /// The waits before a download is resumed if the server asks for none, by the client's clock and random numbers. Default: exponential
    /// from half a second, full jitter, at most 20 seconds.
    public var backoff: Backoff
    /// The longest wait that a server may ask for; if it asks for more, the download ends with the failure. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// The maximum size of the file in bytes, or nil for no limit; a larger file fails with `.responseTooLarge`. Default: nil.
    public var maxBytes: Int64?
    /// Whether the file is flushed to the disk before the call returns (`fsync`), so that it survives a power failure. Default: false.
    public var syncsToDisk: Bool
    /// The minimum time between two reports of progress. Default: 100 milliseconds.
    public var progressInterval: Duration
    /// The options for the call of each request. Default: none.
    public var call: CallOptions

    /// Creates the options for a download. An option that is left out has its default.
    public init(
        resumesAcrossCalls: Bool = true, existingFile: ExistingFile? = nil, checksum: ContentDigest? = nil, maxFailures: Int = 5,
        backoff: Backoff = .exponential(), maxRetryAfter: Duration = .seconds(60), maxBytes: Int64? = nil,
        syncsToDisk: Bool = false, progressInterval: Duration = .milliseconds(100), call: CallOptions = CallOptions()
    ) {
        self.resumesAcrossCalls = resumesAcrossCalls
        self.existingFile = existingFile
        self.checksum = checksum
        self.maxFailures = maxFailures
        self.backoff = backoff
        self.maxRetryAfter = maxRetryAfter
        self.maxBytes = maxBytes
        self.syncsToDisk = syncsToDisk
        self.progressInterval = progressInterval
        self.call = call
    }
}
