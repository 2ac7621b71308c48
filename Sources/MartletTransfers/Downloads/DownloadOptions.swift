public import MartletEssentials

/// How a download goes about its work.
public struct DownloadOptions: Sendable {
    /// How far a download that broke off is gone on with, where the server lets it (RFC 9110 §14).
    @nonexhaustive public enum Resumption: Sendable, Hashable {
        /// Within the call, and by a later one for the same URL and file: what has come stays beside the target when the call fails.
        case acrossCalls
        /// Within the call only: when it fails, nothing is left behind.
        case withinCall
        /// Not at all: the first failure is the end.
        case never
    }

    /// What happens when there is a file of the target's name.
    @nonexhaustive public enum ExistingFile: Sendable, Hashable {
        /// It is replaced, in one step, when the new one is complete.
        case replace
        /// The download fails with `.fileFailed` of the kind `.alreadyExists`, before anything is sent if it is known then.
        case fail
        /// The new one gets another name: `report 2.pdf`.
        case keepBoth
    }

    /// How far a download that broke off is gone on with. Default: ``Resumption/acrossCalls``.
    public var resumption: Resumption
    /// What happens when there is a file of the target's name. Default: nil, which is ``ExistingFile/replace`` for a target that was named, and
    /// ``ExistingFile/keepBoth`` where the server chooses the name.
    public var existingFile: ExistingFile?
    /// What the whole file must be, besides what the server says of it itself (`Content-Digest`, `Repr-Digest`, RFC 9530). Default: nil.
    public var checksum: ContentDigest?
    /// How many failures in a row, without a byte that was new, end the download. Default: 5.
    public var maxFailures: Int
    /// How long is waited after a failure, when the server does not say, by the client's clock and random numbers. Default: exponential from
    /// half a second, full jitter, at most 20 seconds.
    public var backoff: Backoff
    /// The longest wait that a server may ask for; past it the failure is the end. Default: 60 seconds.
    public var maxRetryAfter: Duration
    /// The most bytes the file may have; past it the download fails with `.responseTooLarge`. Default: nil, as many as the disk holds.
    public var maxBytes: Int64?
    /// Whether the file's bytes are on the disk itself when the call returns (`fsync`), for files that must outlive a power cut. Default:
    /// false, as for files that other programs write.
    public var syncsToDisk: Bool
    /// The least time between two reports of progress. Default: 100 milliseconds.
    public var progressInterval: Duration
    /// The options for the call of each request.
    public var call: CallOptions

    /// Options, each with its default.
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

/// A file that was downloaded.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public let url: URL
    /// How many bytes it has.
    public let bytes: Int64
    /// The head of the last answer: that of the whole, of a part (206), or that nothing was missing (416).
    public let response: HTTPResponse<Void>
    /// How many of the bytes an earlier call had fetched.
    public let resumedBytes: Int64
    /// How often this call went on after a failure.
    public let resumptions: Int

    /// A file that was downloaded, for doubles.
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
