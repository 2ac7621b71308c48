extension RequestContext {
    /// The origins that have redirected this call to another origin, in order.
    ///
    /// Code that adds credentials must check that it trusts all of them. Otherwise a foreign server could redirect a request of its choice
    /// to an origin where the credentials are valid.
    package var passedOrigins: [Origin] {
        get { self[PassedOriginsKey.self] }
        set { self[PassedOriginsKey.self] = newValue }
    }
}

private enum PassedOriginsKey: RequestContextKey {
    static let defaultValue: [Origin] = []
}
