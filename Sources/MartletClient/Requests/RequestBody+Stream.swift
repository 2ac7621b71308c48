extension RequestBody {
    /// The chunks of an `AsyncSequence` of `Data`, `[UInt8]` or any other collection of bytes, sent as they come.
    ///
    /// ```swift
    /// .stream(recorder.chunks, contentType: "audio/ogg")
    /// .stream(archive, length: 1_048_576, replayable: true)
    /// ```
    ///
    /// The sequence is asked for a chunk only when the last one has been taken, so a slow server slows it down. It runs in a task of its
    /// own, which is cancelled when the call ends before it. An error it throws closes the connection and is `.encodingFailed`, with the
    /// error as ``HTTPError/underlying`` (an `HTTPError` stays as it is); giving more or fewer bytes than `length` is `.invalidRequest`.
    /// In neither case does the server get a body that looks whole.
    ///
    /// - Parameters:
    ///   - sequence: what gives the chunks.
    ///   - length: how many bytes there will be: then `Content-Length` says so. Default: unknown, and the body goes in chunks (RFC 9112
    ///     §7.1), which some servers refuse.
    ///   - replayable: whether the sequence starts anew each time it is iterated, with the same bytes. Default: no; a redirect or a retry
    ///     that needs the body again is `.bodyNotReplayable`.
    ///   - contentType: its media type. Default: `application/octet-stream`.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ sequence: Chunks, length: Int64? = nil, replayable: Bool = false, contentType: String = "application/octet-stream"
    ) -> Self where Chunks.Element: Collection<UInt8> {
        .stream(HTTPBody(sequence, length: length, replayable: replayable), contentType: contentType)
    }

    /// The bytes of an `AsyncSequence` of single bytes, such as a file handle's, gathered into chunks of 16 KiB.
    ///
    /// The contract is that of chunks. What a slow sequence gives is sent when 16 KiB have come, or when it ends.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes, length: Int64? = nil, replayable: Bool = false, contentType: String = "application/octet-stream"
    ) -> Self where Bytes.Element == UInt8 {
        .stream(HTTPBody(sequence, length: length, replayable: replayable), contentType: contentType)
    }

    /// The chunks of a sequence that is made for each attempt, and so can be sent again after a redirect or by a retry.
    ///
    /// ```swift
    /// .stream(length: size) { try Export.open(id).chunks }
    /// ```
    ///
    /// The contract is that of a sequence that is there already. Each sequence that is made must give the same bytes; what `makeSequence`
    /// throws is treated as an error of the sequence. With `replayable: false` it is called once, when the body is first asked for.
    public static func stream<Chunks: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, contentType: String = "application/octet-stream",
        _ makeSequence: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element: Collection<UInt8> {
        .stream(HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence), contentType: contentType)
    }

    /// The bytes of a sequence of single bytes that is made for each attempt, gathered into chunks of 16 KiB.
    public static func stream<Bytes: AsyncSequence>(
        length: Int64? = nil, replayable: Bool = true, contentType: String = "application/octet-stream",
        _ makeSequence: @escaping @Sendable () async throws -> Bytes
    ) -> Self where Bytes.Element == UInt8 {
        .stream(HTTPBody(length: length, replayable: replayable, makeSequence: makeSequence), contentType: contentType)
    }
}
