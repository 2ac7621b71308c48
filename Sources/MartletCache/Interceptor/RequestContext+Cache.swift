extension RequestContext {
    /// Who gets what is stored while the server is asked; nil for nobody.
    var earlyAnswer: EarlyAnswer? {
        get { self[only: EarlyAnswer.self] }
        set { self[only: EarlyAnswer.self] = newValue }
    }
}

/// Takes what is stored while the server is asked.
struct EarlyAnswer: Sendable {
    let offer: @Sendable (EarlyResponse) -> Void
}

/// What is stored, and how much of it the call takes.
struct EarlyResponse: Sendable {
    let response: HTTPResponse<HTTPBody>
    let limits: ResponseLimits
}
