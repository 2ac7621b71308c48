/// Opens a streamed answer when it is first wanted: what sequences over an endpoint begin with.
struct StreamOpening: Sendable {
    /// Sends the request, or gives the response that is there already.
    let open: @Sendable () async throws(HTTPError) -> HTTPResponse<HTTPBody>

    /// Opens the response to an endpoint, sent with another `Accept` unless it has one.
    init<E: Endpoint>(_ endpoint: E, _ options: CallOptions, client: any HTTPClientProtocol, accept: String) {
        var adjusted = AdjustedEndpoint(endpoint)
        adjusted.headers.addMissing([.accept: accept])
        let asked = adjusted
        open = { () async throws(HTTPError) in try await client.stream(asked, options: options) }
    }

    /// A body that is there.
    init(_ body: HTTPBody) {
        let response = HTTPResponse(status: .ok, body: body)
        open = { () async throws(HTTPError) in response }
    }
}
