public import MartletEssentials

// The disfavoured variants for `Request` are for its static members, which can only be found through a parameter of this type.

extension EndpointClient {
    /// Uploads a file to a server that supports the tus protocol, version 1.0.0, and resumes the upload when the connection breaks.
    ///
    /// ```swift
    /// let file = try await client.uploadResumably(movie, to: .post("files"), options: .init(metadata: ["filename": "a.mov"])) {
    ///     bar.show($0.fraction)
    /// }
    /// ```
    ///
    /// The given request creates the upload (`POST` with `Upload-Length`). The file is sent with `PATCH` to the `Location` of the response.
    /// When a transfer breaks, the client requests the server's offset (`HEAD`) and sends the rest. The file is read while it is sent and
    /// must not change meanwhile. Each request with bytes of the file may take any time while it makes progress, as with
    /// ``upload(_:progressInterval:options:onProgress:)-(E,_,_,_)``. All requests have the header fields of the creating request, but
    /// credentials are not sent to another origin, nor to a location that another origin has named after a redirect.
    ///
    /// - Parameters:
    ///   - file: A regular file.
    ///   - creation: The request that creates an upload, usually a POST without a body.
    ///   - options: The metadata, the limits, and the options for each call. ``ResumableUploadOptions/location`` resumes an earlier upload.
    ///   - onProgress: Called with the progress, as for ``upload(_:progressInterval:options:onProgress:)-(E,_,_,_)``.
    /// - Returns: The location of the file on the server.
    /// - Throws: `.invalidRequest` if the file can't be read or has changed its length, `.statusCode` if the server refuses,
    ///   `.invalidResponse` if a response does not follow the protocol, and the last failure after too many in a row. A failure before the
    ///   upload was created is not retried here, but interceptors may retry it.
    @concurrent public func uploadResumably<E: Endpoint>(
        _ file: URL, to creation: E, options: ResumableUploadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await upload(file, to: creation, options).result(onProgress)
    }

    /// Uploads a file to a server that supports the tus protocol, and resumes the upload when the connection breaks. See
    /// ``uploadResumably(_:to:options:onProgress:)-(_,E,_,_)``.
    @_disfavoredOverload
    @concurrent public func uploadResumably(
        _ file: URL, to creation: Request<EmptyResponse>, options: ResumableUploadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await upload(file, to: creation, options).result(onProgress)
    }

    /// Returns a sequence that uploads a file resumably (tus) when it is iterated, and returns the progress and at the end the uploaded
    /// file. See ``TransferUpdate``.
    public func resumableUploadUpdates<E: Endpoint>(
        _ file: URL, to creation: E, options: ResumableUploadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        upload(file, to: creation, options).updates
    }

    /// Returns a sequence that uploads a file resumably (tus) when it is iterated, and returns the progress and at the end the uploaded
    /// file. See ``TransferUpdate``.
    @_disfavoredOverload
    public func resumableUploadUpdates(
        _ file: URL, to creation: Request<EmptyResponse>, options: ResumableUploadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        upload(file, to: creation, options).updates
    }

    private func upload<E: Endpoint>(_ file: URL, to creation: E, _ options: ResumableUploadOptions) -> Transfer<TransferredFile, Failure> {
        let client = httpClient
        return Transfer(
            run: { report async throws(HTTPError) in
                let reporter = ProgressReporter(interval: options.progressInterval, time: client.time, report: report)
                return try await client.observing(.upload, creation, options.call, head: \TransferredFile.response) {
                    call async throws(HTTPError) in
                    var options = options
                    options.call = call
                    let upload = ResumableUploading(creation: creation, client: client, file: file, options: options, reporter: reporter)
                    return try await client.asOneCall { () async throws(HTTPError) in try await upload.run() }
                }
            }, failure: failure)
    }
}
