extension HTTPClientProtocol {
    /// Sends an endpoint and tells how much of its body has gone.
    ///
    /// ```swift
    /// let photo = try await client.upload(PostPhoto(file: url)) { progress in bar.show(progress.fraction) }
    /// ```
    ///
    /// An upload may take any time while it makes progress: the total timeout does not limit it. It fails with `.timeout` if no byte of the
    /// body is taken and no response arrives for the idle timeout (60 seconds), unless that is off. It also fails with `.timeout` if
    /// interceptors spend longer than the total timeout (60 seconds) before, between or after its exchanges. A timeout of the endpoint's
    /// own limits the whole upload.
    ///
    /// What is told are the bytes that the transport has taken, which is a little more than the server has. An attempt that is made again
    /// (a redirect, a retry, a refreshed token) begins at zero anew. A total is known when the body's length is.
    ///
    /// Over `URLSession` a body whose progress is told is handed over in pieces, not as a file; on Linux that transport gathers the pieces in a
    /// temporary file first, and what is told is that gathering.
    ///
    /// - Parameters:
    ///   - endpoint: what to send.
    ///   - progressInterval: the least time between two reports. Default: 100 milliseconds.
    ///   - onProgress: told of the progress, off the main actor; it must not block.
    /// - Returns: the answer.
    @concurrent public func upload<E: Endpoint>(
        _ endpoint: E, progressInterval: Duration = .milliseconds(100),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> E.Response {
        try await observed(endpoint, endpoint.decoding, progressInterval, onProgress)
    }

    /// Sends a request and tells how much of its body has gone: see ``upload(_:progressInterval:onProgress:)-(Endpoint,_,_)``.
    @concurrent public func upload<Response: Sendable>(
        _ request: Request<Response>, progressInterval: Duration = .milliseconds(100),
        onProgress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws(HTTPError) -> Response {
        try await observed(request, request.decoding, progressInterval, onProgress)
    }

    /// An upload as a sequence of its progress, with the answer as its last element: see ``TransferSequence``.
    public func uploadUpdates<E: Endpoint>(
        _ endpoint: E, progressInterval: Duration = .milliseconds(100)
    ) -> TransferSequence<E.Response> {
        TransferSequence { (report) async throws(HTTPError) in try await observed(endpoint, endpoint.decoding, progressInterval, report) }
    }

    /// An upload as a sequence of its progress, with the answer as its last element: see ``TransferSequence``.
    public func uploadUpdates<Response: Sendable>(
        _ request: Request<Response>, progressInterval: Duration = .milliseconds(100)
    ) -> TransferSequence<Response> {
        TransferSequence { (report) async throws(HTTPError) in try await observed(request, request.decoding, progressInterval, report) }
    }

    @concurrent private func observed<E: Endpoint, Value: Sendable>(
        _ endpoint: E, _ decoding: ResponseDecoding<Value>, _ interval: Duration, _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(HTTPError) -> Value {
        let reporter = ProgressReporter(interval: interval, time: time, report: report)
        var watched = AdjustedEndpoint(endpoint)
        watched.options.context.bodyObserver = BodyObserver(began: { reporter.begin(at: 0, of: $0) }, took: { reporter.add($0) })
        let value = try await perform(watched, decoding: decoding).body
        reporter.end()
        return value
    }
}
