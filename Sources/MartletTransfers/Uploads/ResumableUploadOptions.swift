public import MartletEssentials

/// How an upload that can be gone on with goes about its work.
public struct ResumableUploadOptions: Sendable {
    /// What the server is told of the file (`Upload-Metadata`): names without spaces and commas, such as `filename` and `filetype`, and
    /// their values. Default: none.
    public var metadata: [String: String]
    /// Where an earlier call has begun to upload the same file: it is gone on with there. Only its length is compared, so it must be the same
    /// file. When the server has lost the upload, the call fails with the server's 404 or 410. Default: nil, a new upload.
    public var location: URL?
    /// How many bytes one request carries at most, for servers or proxies with a limit. Default: nil, all that is left.
    public var chunkBytes: Int64?
    /// How many failures in a row, without a byte that was new to the server, end the upload. Default: 5.
    public var maxFailures: Int
    /// How long is waited after a failure, when the server does not say, by the client's clock and random numbers. Default: exponential from
    /// half a second, full jitter, at most 20 seconds.
    public var backoff: Backoff
    /// The longest wait that a server may ask for; past it the failure is the end. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// The least time between two reports of progress. Default: 100 milliseconds.
    public var progressInterval: Duration
    /// The options for the call of each request.
    public var call: CallOptions
    /// Told where the upload is, as soon as the server has said so, and again when it was lost and begun anew: keep it, and a later call can go on (``location``). Default: nil.
    public var onCreated: (@Sendable (URL) -> Void)?

    /// Options, each with its default.
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

/// A file that was uploaded.
public struct UploadedFile: Sendable {
    /// Where the server keeps it.
    public let location: URL
    /// How many bytes it has.
    public let bytes: Int64
    /// The head of the last answer.
    public let response: HTTPResponse<Void>
    /// How many of the bytes an earlier call had sent.
    public let resumedBytes: Int64
    /// How often this call went on after a failure.
    public let resumptions: Int

    /// A file that was uploaded, for doubles.
    public init(
        location: URL, bytes: Int64, response: HTTPResponse<Void> = HTTPResponse(status: .noContent, body: ()), resumedBytes: Int64 = 0,
        resumptions: Int = 0
    ) {
        self.location = location
        self.bytes = bytes
        self.response = response
        self.resumedBytes = resumedBytes
        self.resumptions = resumptions
    }
}
