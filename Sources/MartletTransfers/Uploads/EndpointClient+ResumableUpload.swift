public import MartletEssentials

extension EndpointClient {
    /// Uploads a file so that it can be resumed when the connection breaks: the tus protocol, version 1.0.0.
    ///
    /// ```swift
    /// let file = try await client.uploadResumably(movie, to: .post("files"), options: .init(metadata: ["filename": "a.mov"])) { progress in
    ///     bar.show(progress.fraction)
    /// }
    /// ```
    ///
    /// The given request creates the upload (`POST` with `Upload-Length`). The file is sent with `PATCH` to the `Location` of the response.
    /// When that breaks, the server is asked how much it has (`HEAD`), and the rest is sent. The file is read while it is sent and must not
    /// change meanwhile. Each request with bytes of the file may take any time while it makes progress, as with
    /// ``upload(_:progressInterval:options:onProgress:)-(E,_,_,_)``. All requests have the header fields of the creating request, but
    /// credentials do not go to another origin.
    ///
    /// - Parameters:
    ///   - file: a regular file.
    ///   - creation: the request that creates an upload, usually a POST without a body.
    ///   - options: the metadata, limits, and the options for each call.
    ///   - onProgress: called with the progress, as for ``upload(_:progressInterval:options:onProgress:)-(E,_,_,_)``.
    /// - Returns: the place of the file on the server.
    /// - Throws: `.invalidRequest` when the file can't be read or has changed its length, `.statusCode` when the server refuses,
    ///   `.invalidResponse` when a response does not follow the protocol, and the last failure when there were too many in a row. A failure
    ///   before the upload was created is left to interceptors.
    @concurrent public func uploadResumably<E: Endpoint>(
        _ file: URL, to creation: E, options: ResumableUploadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> UploadedFile {
        try await upload(file, to: creation, options).result(onProgress)
    }

    /// Uploads a file so that it can be resumed: see ``uploadResumably(_:to:options:onProgress:)-(_,Endpoint,_,_)``.
    @concurrent public func uploadResumably(
        _ file: URL, to creation: Request<EmptyResponse>, options: ResumableUploadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> UploadedFile {
        try await upload(file, to: creation, options).result(onProgress)
    }

    /// Returns a resumable upload as a sequence of its progress, with the file as its last element: see ``TransferUpdate``.
    public func resumableUploadUpdates<E: Endpoint>(
        _ file: URL, to creation: E, options: ResumableUploadOptions = .init()
    ) -> ValueSequence<TransferUpdate<UploadedFile>, Failure> {
        upload(file, to: creation, options).updates
    }

    /// Returns a resumable upload as a sequence of its progress, with the file as its last element: see ``TransferUpdate``.
    public func resumableUploadUpdates(
        _ file: URL, to creation: Request<EmptyResponse>, options: ResumableUploadOptions = .init()
    ) -> ValueSequence<TransferUpdate<UploadedFile>, Failure> {
        upload(file, to: creation, options).updates
    }

    private func upload<E: Endpoint>(_ file: URL, to creation: E, _ options: ResumableUploadOptions) -> Transfer<UploadedFile, Failure> {
        let client = httpClient
        return Transfer(
            run: { report async throws(HTTPError) in
                let reporter = ProgressReporter(interval: options.progressInterval, time: client.time, report: report)
                let upload = ResumableUploading(creation: creation, client: client, file: file, options: options, reporter: reporter)
                return try await client.asOneCall { () async throws(HTTPError) in try await upload.run() }
            }, failure: failure)
    }
}
