extension RequestBody {
    /// Creates a body from an `AsyncSequence` of chunks of bytes, which are sent as the sequence produces them. A chunk is a `Data`, a
    /// `[UInt8]` or another collection of bytes.
    ///
    /// ```swift
    /// let audio: RequestBody = .stream(recording, contentType: "audio/ogg")
    /// let archive: RequestBody = .stream(chunks, length: 1_048_576, replayable: true)
    /// ```
    ///
    /// The next chunk is requested only after the previous one was taken, so a slow server slows the sequence down. The sequence runs in a
    /// task of its own, which is cancelled when the call ends first.
    ///
    /// If the sequence throws, the connection is closed and the call throws `.encodingFailed` with the error as `HTTPError.underlying`;
    /// an `HTTPError` is passed on. If it produces more or fewer bytes than `length`, the call throws `.invalidRequest`. In both cases the
    /// server does not receive a body that looks complete.
    ///
    /// - Parameters:
    ///   - sequence: The chunks.
    ///   - length: The total number of bytes, sent as `Content-Length`. Default: nil, unknown; the body is sent in chunks (RFC 9112 §7.1),
    ///     which some servers refuse.
    ///   - replayable: Whether each iteration of the sequence starts from the beginning and produces the same bytes. Default: false; a
    ///     redirect or a retry that needs the body again throws `.bodyNotReplayable`.
    ///   - contentType: The media type. Default: `application/octet-stream`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ sequence: Chunks, length: Int64? = nil, replayable: Bool = false, contentType: String = "application/octet-stream"
    ) -> Self where Chunks.Element: Collection<UInt8> {
        .stream(HTTPBody(sequence, length: length, replayable: replayable), contentType: contentType)
    }

    /// Creates a body from an `AsyncSequence` of single bytes, such as those of a file handle.
    ///
    /// The bytes are sent in chunks of 16 KiB; bytes of a slow sequence wait until a chunk is full or the sequence ends. Otherwise the
    /// contract is that of a sequence of chunks.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes, length: Int64? = nil, replayable: Bool = false, contentType: String = "application/octet-stream"
    ) -> Self where Bytes.Element == UInt8 {
        .stream(HTTPBody(sequence, length: length, replayable: replayable), contentType: contentType)
    }

    /// Creates a body from a sequence that is created for each attempt, so that a redirect or a retry can send it again.
    ///
    /// ```swift
    /// let body: RequestBody = .stream(length: 1_048_576) { try openExport() }
    /// ```
    ///
    /// Each sequence must produce the same bytes. An error of `makeSequence` is handled like an error of the sequence. With `replayable:
    /// false`, `makeSequence` is called once, when the body is first needed. Otherwise the contract is that of an existing sequence.
    public static func stream<Chunks: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, contentType: String = "application/octet-stream",
        _ makeSequence: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element: Collection<UInt8> {
        .stream(HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence), contentType: contentType)
    }

    /// Creates a body from a sequence of single bytes that is created for each attempt. The bytes are sent in chunks of 16 KiB.
    public static func stream<Bytes: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, contentType: String = "application/octet-stream",
        _ makeSequence: @escaping @Sendable () async throws -> Bytes
    ) -> Self where Bytes.Element == UInt8 {
        .stream(HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence), contentType: contentType)
    }
}
