extension RequestContext {
    /// Receives the stored response before the server's. Nil if the call takes only one response.
    var earlyAnswer: EarlyAnswer? {
        get { self[only: EarlyAnswer.self] }
        set { self[only: EarlyAnswer.self] = newValue }
    }
}

/// A receiver for the stored response of a call that also gets the server's.
struct EarlyAnswer: Sendable {
    let offer: @Sendable (EarlyResponse) -> Void
}

/// The stored response, with the call's limits for reading it.
struct EarlyResponse: Sendable {
    let response: HTTPResponse<HTTPBody>
    let limits: ResponseLimits
}
