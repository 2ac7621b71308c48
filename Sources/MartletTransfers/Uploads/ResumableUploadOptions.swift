public import MartletEssentials

/// The options for a resumable upload: metadata, resumption, limits, and options for each call.
public struct ResumableUploadOptions: Sendable {
    /// The metadata of the file for the server, such as `filename` and `filetype`, sent as `Upload-Metadata`. Names must not contain spaces
    /// and commas. Default: none.
    public var metadata: [String: String]
    /// The location of an upload that an earlier call began, to resume it, or nil to begin a new upload. Default: nil.
    ///
    /// It must be the same file: only its length is compared. If the server has lost the upload, the call fails with the server's 404 or
    /// 410. At the origin of the creating request it counts as your choice, and its requests have the credentials.
    public var location: URL?
    /// The maximum number of bytes of the file in one request, for servers or proxies with a limit, or nil for no limit. Default: nil.
    public var chunkBytes: Int64?
    /// The number of consecutive failures, without a new byte at the server between them, that ends the upload. Each byte that is new to
    /// the server resets the count. Default: 5.
    public var maxFailures: Int
    /// The waits before an upload is resumed if the server asks for none, by the client's clock and random numbers. Default: exponential
    /// from half a second, full jitter, at most 20 seconds.
    public var backoff: Backoff
    /// The longest wait that a server may ask for; if it asks for more, the upload ends with the failure. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// The minimum time between two reports of progress. Default: 100 milliseconds.
    public var progressInterval: Duration
    /// The options for the call of each request. Default: none.
    public var call: CallOptions
    /// A closure that is called with the location of the upload as soon as the server has sent it, and again if a lost upload is restarted.
    /// Default: nil.
    ///
    /// Store the location to resume the upload in a later call: see ``location``. The closure is not called if another origin has
    /// redirected the creation and chosen a location to which the later call would send credentials that this one does not.
    public var onCreated: (@Sendable (URL) -> Void)?

    /// Creates the options for a resumable upload. An option that is left out has its default.
    public init(
        metadata: [String: String] = [:], location: URL? = nil, chunkBytes: Int64? = nil, maxFailures: Int = 5,
        backoff: Backoff = .exponential(), maxRetryAfter: Duration = .seconds(60), progressInterval: Duration = .milliseconds(100),
        call: CallOptions = CallOptions(), onCreated: (@Sendable (URL) -> Void)? = nil
    ) {
        self.metadata = metadata
        self.location = location
        self.chunkBytes = chunkBytes
        self.maxFailures = maxFailures
        self.backoff = backoff
        self.maxRetryAfter = maxRetryAfter
        self.progressInterval = progressInterval
        self.call = call
        self.onCreated = onCreated
    }
}
