public import MartletEssentials

/// The options for a download to a file: resumption, existing files, checks and limits.
public struct DownloadOptions: Sendable {
    /// Whether and how an interrupted download is resumed, if the server supports it (RFC 9110 §14).
    @nonexhaustive public enum Resumption: Sendable, Hashable {
        /// Resumes after a failure, in the same call and in a later call for the same URL and file. If the call fails, the received bytes
        /// stay beside the target.
        case acrossCalls
        /// Resumes after a failure in the same call only; if the call fails, no bytes are left behind.
        case withinCall
        /// Never resumes, so that the first failure ends the download.
        case never
    }

    /// What happens if a file with the target's name exists.
    @nonexhaustive public enum ExistingFile: Sendable, Hashable {
        /// The existing file is replaced in one step when the new one is complete.
        case replace
        /// The download fails with `.fileFailed` of the kind `.alreadyExists`, before anything is sent if the name is known.
        case fail
        /// The new file gets another name, such as `report 2.pdf`, and the existing one is kept.
        case keepBoth
    }

    /// Whether and how a GET download is resumed after a failure. Default: ``Resumption/acrossCalls``. Only GET downloads can be resumed.
    public var resumption: Resumption
    /// What happens if a file with the target's name exists, or nil to decide by the kind of target. Default: nil, which is
    /// ``ExistingFile/replace`` for a named target, and ``ExistingFile/keepBoth`` if the server chooses the name.
    public var existingFile: ExistingFile?
    /// The expected digest of the whole file, or nil; a file with another digest fails with `.integrityFailed`. The digests that the server
    /// sends (`Content-Digest`, `Repr-Digest`, RFC 9530) are always checked. Default: nil.
    public var checksum: ContentDigest?
    /// The number of consecutive failures, without a new byte between them, that ends the download. Each new byte resets the count.
    /// Default: 5.
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
        resumption: Resumption = .acrossCalls, existingFile: ExistingFile? = nil, checksum: ContentDigest? = nil, maxFailures: Int = 5,
        backoff: Backoff = .exponential(), maxRetryAfter: Duration = .seconds(60), maxBytes: Int64? = nil,
        syncsToDisk: Bool = false, progressInterval: Duration = .milliseconds(100), call: CallOptions = CallOptions()
    ) {
        self.resumption = resumption
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

/// The result of a download: the file, its size and the head of the response.
public struct DownloadedFile: Sendable {
    /// The URL of the downloaded file.
    public let url: URL
    /// The size of the file in bytes.
    public let bytes: Int64
    /// The status and header fields of the last response, which may be that of a part (206), or say that no bytes were missing (416).
    public let response: HTTPResponse<Void>
    /// The number of bytes that were fetched by earlier calls, and not by this one.
    public let resumedBytes: Int64
    /// The number of times that this call resumed the download after a failure.
    public let resumptions: Int

    /// Creates a downloaded file, for test doubles.
    public init(
        url: URL, bytes: Int64, response: HTTPResponse<Void> = HTTPResponse(status: .ok, body: ()), resumedBytes: Int64 = 0,
        resumptions: Int = 0
    ) {
        self.url = url
        self.bytes = bytes
        self.response = response
        self.resumedBytes = resumedBytes
        self.resumptions = resumptions
    }
}
