/// Opens a streamed response when the first element of a sequence is requested.
struct StreamOpening: Sendable {
    /// Sends the request, or returns the existing response.
    private let send: @Sendable (_ observed: ObservedCall?) async throws(HTTPError) -> HTTPResponse<HTTPBody>
    private let observe: @Sendable () -> ObservedCall?

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

    /// Returns an object that reports one reading of the response.
    func reading() -> ObservedReading { ObservedReading(observe) }

    /// Opens the response as part of a reading.
    func open(for reading: ObservedReading) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let response = try await send(reading.call)
        reading.opened(response.map { _ in })
        return response
    }
}
