/// Opens a streamed response when the first element of a sequence is requested.
struct StreamOpening: Sendable {
    /// Sends the request, or returns the existing response.
    let open: @Sendable () async throws(HTTPError) -> HTTPResponse<HTTPBody>

    /// Opens the response to an endpoint, sent with another `Accept` unless it has one.
    init<E: Endpoint>(_ endpoint: E, _ options: CallOptions, client: any HTTPClientProtocol, accept: String) {
        var adjusted = AdjustedEndpoint(endpoint)
        adjusted.headers.addMissing([.accept: accept])
        let asked = adjusted
        open = { () async throws(HTTPError) in try await client.stream(asked, options: options) }
    }

    /// Creates an opening that returns an existing body.
    init(_ body: HTTPBody) {
        let response = HTTPResponse(status: .ok, body: body)
        open = { () async throws(HTTPError) in response }
    }
}
