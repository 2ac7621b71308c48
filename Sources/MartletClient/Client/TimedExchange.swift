/// Sends requests through a transport within the attempt timeout, and within the idle timeout while an observed body is sent.
struct TimedExchange: Transport {
    let transport: any Transport
    let time: any TimeSource
    /// The progress of the observed body, or nil if the body is not observed.
    let pulse: Pulse?

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let timeout = request.context.attemptTimeout else { return try await sendWithinSilence(request) }
        return try await race(
            { () throws(HTTPError) in try await sendWithinSilence(request) }, until: time.instant + timeout, time: time
        ) {
            ErrorContext(stage: .exchange, detail: "no response within the attempt timeout of \(timeout)")
        }
    }

    /// Sends the request within the idle timeout if its body is observed. The timeout restarts with each progress of the body.
    private func sendWithinSilence(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let pulse, let timeout = request.context.idleTimeout else { return try await transport.send(request) }
        return try await race(
            { () throws(HTTPError) in try await transport.send(request) },
            against: { IdleTimer(limit: timeout, pulse: pulse, time: time, isSilent: $0) }
        ) {
            ErrorContext(stage: .exchange, detail: "the server read no bytes and sent no response for the idle timeout of \(timeout)")
        }
    }
}
