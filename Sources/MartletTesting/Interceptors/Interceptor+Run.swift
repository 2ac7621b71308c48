public import MartletEssentials

extension Interceptor {
    /// Runs this interceptor alone, without a client, and returns its response and the requests that it passed on.
    ///
    /// ```swift
    /// let (response, sent) = try await HeadersInterceptor(["X-App": "1"]).run(request) { _ in .status(204) }
    /// #expect(sent.first?.headers["X-App"] == "1")
    /// ```
    ///
    /// - Parameters:
    ///   - request: the request that the interceptor gets.
    ///   - time: the clock that the interceptor inherits. Default: the system's.
    ///   - random: the random numbers that the interceptor inherits. Default: the system's.
    ///   - reply: returns the reply to each request that the interceptor sends.
    /// - Throws: the error that a client would throw. Errors other than `HTTPError` become `.interceptorFailed`.
    @concurrent public func run(
        _ request: HTTPRequest, time: any TimeSource = .system, random: any RandomSource = .system,
        reply: @escaping @Sendable (HTTPRequest) async throws -> MockReply
    ) async throws(HTTPError) -> (response: HTTPResponse<Data>, sent: [HTTPRequest]) {
        let transport = MockTransport(time: time, reply)
        var request = request
        request.context.services = ClientServices(time: time, random: random)
        let response = try await InterceptorChain([self], transport).send(request)
        let body = try await response.body.collect(upTo: request.context.limits.bodyBytes)
        return (response.map { _ in body }, transport.requests)
    }
}
