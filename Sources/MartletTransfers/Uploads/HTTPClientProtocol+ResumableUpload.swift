public import MartletEssentials

extension HTTPClientProtocol {
    /// Uploads a file so that it can be gone on with when the connection breaks: the tus protocol, version 1.0.0.
    ///
    /// ```swift
    /// let file = try await client.uploadResumably(movie, to: .post("files"), options: .init(metadata: ["filename": "a.mov"])) { progress in
    ///     bar.show(progress.fraction)
    /// }
    /// ```
    ///
    /// The upload is created with the request that is given (`POST` with `Upload-Length`), and sent with `PATCH` to the `Location` that the
    /// server answers with. When that breaks off, the server is asked how much it has (`HEAD`), and the rest is sent. The file is read while
    /// it is sent, and must not change meanwhile. Each request that carries some of it may take as long as it moves, as with
    /// ``upload(_:progressInterval:onProgress:)-(Endpoint,_,_)``. Fields of the creating request go with each of them; credentials do not go to another
    /// origin than that request's.
    ///
    /// - Parameters:
    ///   - file: a regular file.
    ///   - creation: the request that creates an upload: usually a POST without a body.
    ///   - options: how.
    ///   - onProgress: told of the progress, off the main actor; it must not block.
    /// - Returns: where the server keeps the file.
    ///
    /// Throws `.invalidRequest` when the file can't be read or has changed its length, `.statusCode` when the server refuses, `.invalidResponse` when it
    /// does not answer in the protocol's words, and the last failure when there were too many in a row. A failure before the upload was
    /// created is an interceptor's to retry.
    @concurrent public func uploadResumably<E: Endpoint>(
        _ file: URL, to creation: E, options: ResumableUploadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> UploadedFile {
        try await resumable(file, creation, options, onProgress)
    }

    /// Uploads a file so that it can be gone on with: see ``uploadResumably(_:to:options:onProgress:)-(_,Endpoint,_,_)``.
    @concurrent public func uploadResumably(
        _ file: URL, to creation: Request<EmptyResponse>, options: ResumableUploadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> UploadedFile {
        try await resumable(file, creation, options, onProgress)
    }

    /// A resumable upload as a sequence of its progress, with the file as its last element: see ``TransferSequence``.
    public func resumableUploadUpdates<E: Endpoint>(
        _ file: URL, to creation: E, options: ResumableUploadOptions = .init()
    ) -> TransferSequence<UploadedFile> {
        TransferSequence { (report) async throws(HTTPError) in
            try await resumable(file, creation, options, report)
        }
    }

    /// A resumable upload as a sequence of its progress, with the file as its last element: see ``TransferSequence``.
    public func resumableUploadUpdates(
        _ file: URL, to creation: Request<EmptyResponse>, options: ResumableUploadOptions = .init()
    ) -> TransferSequence<UploadedFile> {
        TransferSequence { (report) async throws(HTTPError) in
            try await resumable(file, creation, options, report)
        }
    }

    private func resumable<E: Endpoint>(
        _ file: URL, _ creation: E, _ options: ResumableUploadOptions, _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(HTTPError) -> UploadedFile {
        let reporter = ProgressReporter(interval: options.progressInterval, time: time, report: report)
        let upload = ResumableUploading(creation: creation, client: self, file: file, options: options, reporter: reporter)
        return try await asOneCall { () async throws(HTTPError) in try await upload.run() }
    }
}
