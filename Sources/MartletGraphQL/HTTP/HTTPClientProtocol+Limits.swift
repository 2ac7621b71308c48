extension HTTPClientProtocol {
    /// The limits of the client's configuration, or the defaults for another client than `HTTPClient`.
    var responseLimits: ResponseLimits { (self as? HTTPClient)?.configuration.limits ?? ResponseLimits() }
}
