public import MartletEssentials

// The disfavoured variants for `Request` are for its static members, which can only be found through a parameter of this type.

extension EndpointClient {
    /// Sends an endpoint, reports how much of its body has been sent, and returns the decoded response.
    ///
    /// ```swift
    /// let photo = try await client.upload(PostPhoto(file: url)) { progress in bar.show(progress.fraction) }
    /// ```
    ///
    /// An upload may take any time while it makes progress: the total timeout does not limit it. It fails with `.timeout` if the server
    /// reads no byte of the body and sends no response for the idle timeout (60 seconds), unless that is off. It also fails with `.timeout`
    /// if interceptors spend longer than the total timeout (60 seconds) before, between or after its exchanges. A timeout of the endpoint
    /// or of the call limits the whole upload.
    ///
    /// The progress counts the bytes that the transport has taken, which is slightly more than the server has received. When the request is
    /// sent again (a redirect, a retry, a refreshed token), the count restarts at zero. The total is known if the body's length is.
    ///
    /// Over `URLSession`, the body is passed in chunks, not as a file. On Linux that transport first writes the chunks to a temporary file,
    /// and the progress is that of the writing.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - progressInterval: The minimum time between two reports. Default: 100 milliseconds.
    ///   - options: The options for the call.
    ///   - onProgress: Called with the progress, on the actor on which the closure was written, such as the main actor. The calls do not
    ///     overlap. While one runs, progress is merged, and the method returns after the last one. For a sequence, see
    ///     ``uploadUpdates(_:progressInterval:options:)-(E,_,_)``.
    /// - Returns: The decoded response, which may be ignored.
    @discardableResult
    @concurrent public func upload<E: Endpoint>(
        _ endpoint: E, progressInterval: Duration = .milliseconds(100), options: CallOptions = CallOptions(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> E.Response {
        try await observed(endpoint, endpoint.decoding, progressInterval, options).result(onProgress)
    }

    /// Sends a request, reports how much of its body has been sent, and returns the decoded response. See
    /// ``upload(_:progressInterval:options:onProgress:)-(E,_,_,_)``.
    @_disfavoredOverload
    @discardableResult
    @concurrent public func upload<Response: Sendable>(
        _ request: Request<Response>, progressInterval: Duration = .milliseconds(100), options: CallOptions = CallOptions(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> Response {
        try await observed(request, request.decoding, progressInterval, options).result(onProgress)
    }

    /// Sends an endpoint without a response type, reports how much of its body has been sent, and returns the body of the response decoded
    /// as `type`.
    @concurrent public func upload<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, progressInterval: Duration = .milliseconds(100), options: CallOptions = CallOptions(),
        @_inheritActorContext onProgress: @escaping @Sendable @isolated(any) (TransferProgress) -> Void = { _ in }
    ) async throws(Failure) -> Value where E.Response == Data {
        try await observed(endpoint, ResponseDecoding<Value>.decodable, progressInterval, options).result(onProgress)
    }

    /// Returns a sequence that uploads when it is iterated, and returns the progress and at the end the decoded response. See
    /// ``TransferUpdate``.
    public func uploadUpdates<E: Endpoint>(
        _ endpoint: E, progressInterval: Duration = .milliseconds(100), options: CallOptions = CallOptions()
    ) -> ValueSequence<TransferUpdate<E.Response>, Failure> {
        observed(endpoint, endpoint.decoding, progressInterval, options).updates
    }

    /// Returns a sequence that uploads when it is iterated, and returns the progress and at the end the decoded response. See
    /// ``TransferUpdate``.
    @_disfavoredOverload
    public func uploadUpdates<Response: Sendable>(
        _ request: Request<Response>, progressInterval: Duration = .milliseconds(100), options: CallOptions = CallOptions()
    ) -> ValueSequence<TransferUpdate<Response>, Failure> {
        observed(request, request.decoding, progressInterval, options).updates
    }

    /// Returns a sequence that uploads when it is iterated, and returns the progress and at the end the response decoded as `type`. The
    /// endpoint has no response type of its own.
    public func uploadUpdates<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, progressInterval: Duration = .milliseconds(100), options: CallOptions = CallOptions()
    ) -> ValueSequence<TransferUpdate<Value>, Failure> where E.Response == Data {
        observed(endpoint, .decodable, progressInterval, options).updates
    }

    private func observed<E: Endpoint, Value: Sendable>(
        _ endpoint: E, _ decoding: ResponseDecoding<Value>, _ interval: Duration, _ options: CallOptions
    ) -> Transfer<Value, Failure> {
        uploading(endpoint, decoding, interval, options) { $0.body }
    }

    /// Returns an upload whose result is the response, converted by `result`.
    private func uploading<E: Endpoint, Value: Sendable, Output: Sendable>(
        _ endpoint: E, _ decoding: ResponseDecoding<Value>, _ interval: Duration, _ options: CallOptions,
        result: @escaping @Sendable (HTTPResponse<Value>) -> Output
    ) -> Transfer<Output, Failure> {
        let client = httpClient
        return Transfer(
            run: { report async throws(HTTPError) in
                let reporter = ProgressReporter(interval: interval, time: client.time, report: report)
                var options = options
                options.context.bodyObserver = BodyObserver(began: { reporter.begin(at: 0, of: $0) }, took: { reporter.add($0) })
                let response = try await client.perform(endpoint, options: options, decoding: decoding)
                reporter.end()
                return result(response)
            }, failure: failure)
    }

    /// Sends an endpoint, reports how much of its body has been sent, and returns the whole response.
    package func uploadResponse<E: Endpoint>(
        _ endpoint: E, onProgress: @Sendable @isolated(any) (TransferProgress) -> Void
    ) async throws(Failure) -> HTTPResponse<E.Response> {
        try await uploading(endpoint, endpoint.decoding, .milliseconds(100), CallOptions()) { $0 }.result(onProgress)
    }
}
