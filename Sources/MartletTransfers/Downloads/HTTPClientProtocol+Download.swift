public import MartletEssentials

extension HTTPClientProtocol {
    /// Downloads an endpoint's answer to a file.
    ///
    /// ```swift
    /// let file = try await client.download(.get("big.iso"), to: url, options: .init(checksum: .sha256(digest))) { progress in
    ///     bar.show(progress.fraction)
    /// }
    /// ```
    ///
    /// The bytes go to a hidden file beside the target (`.big.iso.part`), and the target appears in one step, complete and checked. No more
    /// than some chunks are in memory. When the transfer breaks off, the rest is asked for (`Range` with `If-Range`, RFC 9110 §14.2,
    /// §13.1.5) if the answer had a strong validator, and the whole again if it had none, or if the resource has changed meanwhile: parts of
    /// two states are never put together. A failure before the first answer is an interceptor's to retry.
    ///
    /// The content is asked for without a coding (`Accept-Encoding: identity`), lest the parts be those of a compressed form. The client's
    /// total timeout is for each answer's head; after that the idle timeout rules.
    ///
    /// - Parameters:
    ///   - endpoint: what to ask for. Only GET is gone on with. It must not have `Range` or `If-Range` fields.
    ///   - file: the target, a file URL. Its folder must be there.
    ///   - options: how.
    ///   - onProgress: told of the progress, off the main actor; it must not block.
    /// - Returns: where the file is, its size, and the head of the answer.
    ///
    /// Throws what ``EndpointClient/stream(_:)`` throws; `.fileFailed` when the file can't be written (disk full, no permission, no folder, or
    /// in use by another download); `.integrityFailed` when a digest or the checksum does not match; `.responseTooLarge` past
    /// ``DownloadOptions/maxBytes``.
    @concurrent public func download<E: Endpoint>(
        _ endpoint: E, to file: URL, options: DownloadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> DownloadedFile {
        try await downloading(endpoint, options, onProgress) { key throws(HTTPError) in try DownloadDestination(file: file, key: key) }
    }

    /// Downloads a request's answer to a file: see ``download(_:to:options:onProgress:)-(Endpoint,_,_,_)``.
    @concurrent public func download(
        _ request: Request<Data>, to file: URL, options: DownloadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> DownloadedFile {
        try await downloading(request, options, onProgress) { key throws(HTTPError) in try DownloadDestination(file: file, key: key) }
    }

    /// Downloads a request's answer to a file: see ``download(_:to:options:onProgress:)-(Endpoint,_,_,_)``.
    @concurrent public func download<Response: Sendable>(
        _ request: Request<Response>, to file: URL, options: DownloadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> DownloadedFile {
        try await downloading(request, options, onProgress) { key throws(HTTPError) in try DownloadDestination(file: file, key: key) }
    }

    /// Downloads an endpoint's answer into a folder, under the name that the answer gives it.
    ///
    /// The name is that of `Content-Disposition` (RFC 6266), or the last segment of the URL; it never leaves the folder, hides, or has control
    /// characters. All else is as for a file.
    @concurrent public func download<E: Endpoint>(
        _ endpoint: E, into folder: URL, options: DownloadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> DownloadedFile {
        try await downloading(endpoint, options, onProgress) { key throws(HTTPError) in try DownloadDestination(folder: folder, key: key) }
    }

    /// Downloads a request's answer into a folder: see ``download(_:into:options:onProgress:)-(Endpoint,_,_,_)``.
    @concurrent public func download(
        _ request: Request<Data>, into folder: URL, options: DownloadOptions = .init(),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> DownloadedFile {
        try await downloading(request, options, onProgress) { key throws(HTTPError) in try DownloadDestination(folder: folder, key: key) }
    }

    /// A download to a file as a sequence of its progress, with the file as its last element: see ``TransferSequence``.
    public func downloadUpdates<E: Endpoint>(
        _ endpoint: E, to file: URL, options: DownloadOptions = .init()
    ) -> TransferSequence<DownloadedFile> {
        TransferSequence { (report) async throws(HTTPError) in
            try await downloading(endpoint, options, report) { key throws(HTTPError) in try DownloadDestination(file: file, key: key) }
        }
    }

    /// A download into a folder as a sequence of its progress, with the file as its last element: see ``TransferSequence``.
    public func downloadUpdates<E: Endpoint>(
        _ endpoint: E, into folder: URL, options: DownloadOptions = .init()
    ) -> TransferSequence<DownloadedFile> {
        TransferSequence { (report) async throws(HTTPError) in
            try await downloading(endpoint, options, report) { key throws(HTTPError) in try DownloadDestination(folder: folder, key: key) }
        }
    }

    /// A download to a file as a sequence of its progress, with the file as its last element: see ``TransferSequence``.
    public func downloadUpdates(
        _ request: Request<Data>, to file: URL, options: DownloadOptions = .init()
    ) -> TransferSequence<DownloadedFile> {
        TransferSequence { (report) async throws(HTTPError) in
            try await downloading(request, options, report) { key throws(HTTPError) in try DownloadDestination(file: file, key: key) }
        }
    }

    private func downloading<E: Endpoint>(
        _ endpoint: E, _ options: DownloadOptions, _ report: @escaping @Sendable (TransferProgress) -> Void,
        _ place: (_ key: String) throws(HTTPError) -> DownloadDestination
    ) async throws(HTTPError) -> DownloadedFile {
        var whole = AdjustedEndpoint(endpoint)
        whole.validation = whole.validation.or(.partialContent)
        whole.headers.addMissing([.acceptEncoding: "identity"])
        // A client around another may not know the base; what is asked for is told apart without it too.
        let base = baseURL ?? URL(string: "http://base.invalid/")
        let request = try whole.request(baseURL: base, accept: "*/*", encoder: .json, examinesFiles: false)
        guard !whole.headers.contains(.range), !whole.headers.contains(.ifRange) else {
            throw .invalidRequest(Explanation("a download makes its own Range and If-Range", context: ErrorContext(request: request)))
        }
        let asked = whole
        let download = Downloading(
            request: request, place: try place(PartialDownload.key(of: request)), options: options, time: time,
            reporter: ProgressReporter(interval: options.progressInterval, time: time, report: report)
        ) { partial async throws(HTTPError) in
            var endpoint = asked
            if let fields = partial.rangeFields {
                endpoint.headers.append(.range, fields.range)
                endpoint.headers.append(.ifRange, fields.ifRange)
            }
            return try await stream(endpoint)
        }
        return try await asOneCall { () async throws(HTTPError) in try await download.run() }
    }
}
