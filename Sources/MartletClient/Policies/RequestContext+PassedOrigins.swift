extension RequestContext {
    /// The origins that have redirected this call to another origin, in order.
    ///
    /// Code that adds credentials must check that it trusts all of them. Otherwise a foreign server could redirect a request of its choice
    /// to an origin where the credentials are valid.
    package var passedOrigins: [Origin] {
        get { self[PassedOriginsKey.self] }
        set { self[PassedOriginsKey.self] = newValue }
    }

    /// Whether the call had a `Cookie` field of its own, which was removed because another origin has chosen the target.
    package private(set) var hadOwnCookies: Bool {
        get { self[OwnCookiesKey.self] }
        set { self[OwnCookiesKey.self] = newValue }
    }

    /// Removes from the fields of a request whose target another origin has chosen all that are not known to be harmless there.
    ///
    /// - Parameter names: The names that the app declares as harmless.
    package mutating func leaveOrigin(with headers: inout HTTPFields, naming names: Set<HTTPFieldName>) {
        if headers.contains(.cookie) { hadOwnCookies = true }
        headers.removeAllButPortable(naming: names)
    }
}

private enum OwnCookiesKey: RequestContextKey {
    static let defaultValue = false
}

private enum PassedOriginsKey: RequestContextKey {
    static let defaultValue: [Origin] = []
}
