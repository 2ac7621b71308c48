/// The part of an interceptor that works on each exchange with the transport: on each attempt of a retry, and on a 304 that the
/// cache replaces by a stored response.
package protocol ExchangeObserver: Sendable {
    /// Returns the request that is sent, changed or not.
    func request(for request: HTTPRequest) async throws(HTTPError) -> HTTPRequest
    /// Handles the fields of a response from the transport.
    func received(_ fields: HTTPFields, for request: HTTPRequest) async
}
