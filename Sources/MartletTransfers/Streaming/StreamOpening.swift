internal import MartletEssentials

/// Opens a streamed response when the first element of a sequence is requested.
struct StreamOpening: Sendable {
    /// Sends the request, or returns the existing response.
    private let send: @Sendable (_ observed: ObservedCall?) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    /// Begins the observation of a reading, or returns nil without observers.
    let observe: @Sendable () -> ObservedCall?

    /// Opens the response to an endpoint, sent with another `Accept` unless it has one.
    init<E: Endpoint>(_ endpoint: E, _ options: CallOptions, client: any HTTPClientProtocol, accept: String) {
        var adjusted = AdjustedEndpoint(endpoint)
        adjusted.headers.addMissing([.accept: accept])
        let asked = adjusted
        send = { observed async throws(HTTPError) in try await client.stream(asked, options: options.observed(by: observed)) }
        observe = { client.observe(.stream, asked, options) }
    }

    /// Creates an opening that returns an existing body.
    init(_ body: HTTPBody) {
        let response = HTTPResponse(status: .ok, body: body)
        send = { _ async throws(HTTPError) in response }
        observe = { nil }
    }

    /// Opens the response as part of a reading.
    func open(for reading: ObservedReading) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let response = try await send(reading.call)
        reading.opened(response.map { _ in })
        return response
    }
}

/// The chunks of a response's body. The request is sent when the first chunk is requested.
struct ResponseChunks {
    private enum State {
        case unopened(StreamOpening, ObservedReading)
        case open(HTTPBody.AsyncIterator)
        case ended
    }

    private var state: State
    /// The response's head. Until the response has arrived, and for a body without a response, it has the status 200.
    private(set) var head = HTTPResponse(status: .ok, body: ())

    init(_ opening: StreamOpening, _ reading: ObservedReading) { state = .unopened(opening, reading) }

    /// Whether the last chunk was returned, an error was thrown, or ``close()`` was called.
    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// Returns the next chunk, or nil after the last.
    mutating func next() async throws(HTTPError) -> Data? {
        // A response that fails to open is not requested twice.
        let current = state
        state = .ended
        var chunks: HTTPBody.AsyncIterator
        switch current {
        case .ended: return nil
        case .open(let iterator): chunks = iterator
        case .unopened(let opening, let reading):
            let response = try await opening.open(for: reading)
            head = response.map { _ in }
            chunks = response.body.makeAsyncIterator()
        }
        guard let chunk = try await chunks.next() else { return nil }
        state = .open(chunks)
        return chunk
    }

    /// Ends the chunks and closes the connection.
    mutating func close() { state = .ended }
}

extension ValueSequence {
    /// Creates a sequence each of whose iterations is one call for observers.
    ///
    /// - Parameters:
    ///   - observe: Begins the observation of an iteration, or returns nil without observers.
    ///   - failure: Returns the error of the sequence.
    ///   - begin: Begins an iteration. It returns a closure that returns the next value, or nil at the end.
    init(
        observing observe: @escaping @Sendable () -> ObservedCall?, failure: @escaping @Sendable (HTTPError) -> Failure,
        _ begin: @escaping @Sendable (ObservedReading) -> () async throws(HTTPError) -> Element?
    ) {
        self.init {
            let reading = ObservedReading(observe), next = begin(reading)
            return { () async throws(Failure) in
                do throws(HTTPError) { return try await reading.next(next) } catch { throw failure(error) }
            }
        }
    }
}
