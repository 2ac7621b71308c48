public import MartletEssentials

// The variants for `Request<Data>` are for `.get("song")` and `.post("song")`, whose response type nothing names, and so not disfavoured.
// Those for `Request<Response>` are for static members of `Request`, which can only be found through a parameter of this type.

extension EndpointClient {
    // MARK: To a file

    /// Downloads the body of an endpoint's response to a file, and resumes the download after a failure if the server supports it.
    ///
    /// ```swift
    /// let sum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    /// let options = DownloadOptions(checksum: .sha256(sum))
    /// let file = try await client.download(.get("big.iso"), to: url, options: options) { progress in
    ///     bar.show(progress.fraction)
    /// }
    /// ```
    ///
    /// The bytes are written to a hidden file beside the target (`.big.iso.part`). The target appears in one step, complete and verified.
    /// At most a few chunks are in memory. After a failure, the rest is requested (`Range` with `If-Range`, RFC 9110 §14.2, §13.1.5) if the
    /// response had a strong validator. Otherwise, or if the resource has changed meanwhile, the whole is requested again: parts of two
    /// versions are never joined. A failure before the first response is not retried here, but interceptors may retry it.
    ///
    /// The content is requested without a content coding (`Accept-Encoding: identity`), because a range of a compressed response can't be
    /// decoded alone. The client's total timeout limits the wait for the head of each response; after the head, the idle timeout applies.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint. Only GET downloads can be resumed. It must not have `Range` or `If-Range` fields.
    ///   - file: The target, a file URL. Its folder must exist.
    ///   - options: The checksum, the limits, and the options for each call.
    ///   - onProgress: Called with the progress, on the actor on which the closure was written, such as the main actor. The calls do not
    ///     overlap. While one runs, progress is merged, and the method returns after the last one. For a sequence, see
    ///     ``downloadUpdates(_:to:options:)-(E,_,_)``.
    /// - Returns: The URL of the file, its size, and the head of the response.
    /// - Throws: The errors of `EndpointClient.stream(_:options:)`; `.fileFailed` if the file can't be written (disk full, no
    ///   permission, no folder, or in use by another download); `.integrityFailed` if a digest or the checksum does not match;
    ///   `.responseTooLarge` beyond ``DownloadOptions/maxBytes``.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func download<E: Endpoint>(
        _ endpoint: E, to file: URL, options: DownloadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await downloading(endpoint, options, .file(file)).result(onProgress)
    }

    /// Downloads the body of a request's response to a file, and resumes the download after a failure if the server supports it. See
    /// ``download(_:to:options:onProgress:)-(E,_,_,_)``.
    @discardableResult
    @concurrent public func download(
        _ request: Request<Data>, to file: URL, options: DownloadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await downloading(request, options, .file(file)).result(onProgress)
    }

    /// Downloads the body of a request's response to a file, and resumes the download after a failure if the server supports it. See
    /// ``download(_:to:options:onProgress:)-(E,_,_,_)``.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func download<Response: Sendable>(
        _ request: Request<Response>, to file: URL, options: DownloadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await downloading(request, options, .file(file)).result(onProgress)
    }

    // MARK: Into a folder

    /// Downloads the body of an endpoint's response into a folder, with the safe form of the file name that the response or its URL gives.
    ///
    /// The name is that in `Content-Disposition` (RFC 6266), or the last segment of the URL. It never leaves the folder, is never hidden,
    /// and has no control characters. In all other respects it works like a download to a file.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func download<E: Endpoint>(
        _ endpoint: E, into folder: URL, options: DownloadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await downloading(endpoint, options, .folder(folder)).result(onProgress)
    }

    /// Downloads the body of a request's response into a folder, with the safe form of the file name that the response or its URL gives.
    /// See ``download(_:into:options:onProgress:)-(E,_,_,_)``.
    @discardableResult
    @concurrent public func download(
        _ request: Request<Data>, into folder: URL, options: DownloadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await downloading(request, options, .folder(folder)).result(onProgress)
    }

    /// Downloads the body of a request's response into a folder, with the safe form of the file name that the response or its URL gives.
    /// See ``download(_:into:options:onProgress:)-(E,_,_,_)``.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func download<Response: Sendable>(
        _ request: Request<Response>, into folder: URL, options: DownloadOptions = .init(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> TransferredFile {
        try await downloading(request, options, .folder(folder)).result(onProgress)
    }

    // MARK: As a sequence

    /// Returns a sequence that downloads to a file when it is iterated, and returns the progress and at the end the file. See
    /// ``TransferUpdate``.
    @_disfavoredOverload
    public func downloadUpdates<E: Endpoint>(
        _ endpoint: E, to file: URL, options: DownloadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        downloading(endpoint, options, .file(file)).updates
    }

    /// Returns a sequence that downloads to a file when it is iterated, and returns the progress and at the end the file. See
    /// ``TransferUpdate``.
    public func downloadUpdates(
        _ request: Request<Data>, to file: URL, options: DownloadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        downloading(request, options, .file(file)).updates
    }

    /// Returns a sequence that downloads to a file when it is iterated, and returns the progress and at the end the file. See
    /// ``TransferUpdate``.
    @_disfavoredOverload
    public func downloadUpdates<Response: Sendable>(
        _ request: Request<Response>, to file: URL, options: DownloadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        downloading(request, options, .file(file)).updates
    }

    /// Returns a sequence that downloads into a folder when it is iterated, and returns the progress and at the end the file. See
    /// ``TransferUpdate``.
    @_disfavoredOverload
    public func downloadUpdates<E: Endpoint>(
        _ endpoint: E, into folder: URL, options: DownloadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        downloading(endpoint, options, .folder(folder)).updates
    }

    /// Returns a sequence that downloads into a folder when it is iterated, and returns the progress and at the end the file. See
    /// ``TransferUpdate``.
    public func downloadUpdates(
        _ request: Request<Data>, into folder: URL, options: DownloadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        downloading(request, options, .folder(folder)).updates
    }

    /// Returns a sequence that downloads into a folder when it is iterated, and returns the progress and at the end the file. See
    /// ``TransferUpdate``.
    @_disfavoredOverload
    public func downloadUpdates<Response: Sendable>(
        _ request: Request<Response>, into folder: URL, options: DownloadOptions = .init()
    ) -> ValueSequence<TransferUpdate<TransferredFile>, Failure> {
        downloading(request, options, .folder(folder)).updates
    }

    private func downloading<E: Endpoint>(
        _ endpoint: E, _ options: DownloadOptions, _ place: DownloadPlace
    ) -> Transfer<TransferredFile, Failure> {
        let client = httpClient
        return Transfer(
            run: { report async throws(HTTPError) in try await client.runDownload(endpoint, options, place, report) }, failure: failure)
    }
}

/// The target of a download.
private enum DownloadPlace: Sendable {
    case file(URL), folder(URL)

    func destination(key: String) throws(HTTPError) -> DownloadDestination {
        switch self {
        case .file(let file): try DownloadDestination(file: file, key: key)
        case .folder(let folder): try DownloadDestination(folder: folder, key: key)
        }
    }
}

extension HTTPClientProtocol {
    fileprivate func runDownload<E: Endpoint>(
        _ endpoint: E, _ options: DownloadOptions, _ place: DownloadPlace, _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(HTTPError) -> TransferredFile {
        try await observing(.download, endpoint, options.call, head: \TransferredFile.response) { call async throws(HTTPError) in
            try await download(endpoint, options, to: place, observed: call, report)
        }
    }

    /// - Parameter observed: The options of the call, with the call that observers see.
    private func download<E: Endpoint>(
        _ endpoint: E, _ options: DownloadOptions, to place: DownloadPlace, observed: CallOptions,
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(HTTPError) -> TransferredFile {
        var whole = AdjustedEndpoint(endpoint), call = observed
        call.validation = call.validation(of: endpoint).or(.partialContent)
        whole.headers.addMissing([.acceptEncoding: "identity"])
        // A client that wraps another may not know the base URL. The key of the download only has to differ from the keys of other
        // downloads.
        let base = baseURL ?? URL(string: "http://base.invalid/")
        let created = try whole.request(baseURL: base, accept: "*/*", encoder: .json, examinesFiles: false)
        let request = completed(created)
        guard !whole.headers.contains(.range), !whole.headers.contains(.ifRange) else {
            throw .invalidRequest(
                Explanation(
                    "a download sets Range and If-Range itself; remove them from the request", context: ErrorContext(request: request)))
        }
        let asked = whole, callOptions = call
        let download = Downloading(
            request: request, files: DownloadFiles(try place.destination(key: PartialDownload.key(of: request))), options: options,
            timeout: totalTimeout(of: endpoint, options.call), time: time, random: random,
            reporter: ProgressReporter(interval: options.progressInterval, time: time, report: report)
        ) { partial async throws(HTTPError) in
            var endpoint = asked
            if let fields = partial.rangeFields {
                endpoint.headers.append(.range, fields.range)
                endpoint.headers.append(.ifRange, fields.ifRange)
            }
            return try await stream(endpoint, options: callOptions)
        }
        return try await asOneCall { () async throws(HTTPError) in try await download.run() }
    }
}

extension HTTPClientProtocol {
    /// Returns the total timeout of a call, which also bounds the work on files before its first request. Nil without a limit.
    func totalTimeout(of endpoint: some Endpoint, _ options: CallOptions) -> Duration? {
        (options.timeout ?? endpoint.timeout ?? endpoint.options.timeout ?? configuration.totalTimeout)?.ifLimited
    }
}
