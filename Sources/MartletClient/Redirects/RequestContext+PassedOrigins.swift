extension RequestContext {
    /// The origins that have redirected this call to another one, in order. Whoever adds credentials asks whether it trusts them all: a
    /// stranger can send a request of its choice to where the credentials are good.
    package var passedOrigins: [Origin] {
        get { self[PassedOriginsKey.self] }
        set { self[PassedOriginsKey.self] = newValue }
    }
}

private enum PassedOriginsKey: RequestContextKey {
    static let defaultValue: [Origin] = []
}
