extension HTTPClientProtocol {
    /// The limits of the client's configuration. The default limits if the client is not an `HTTPClient`.
    var responseLimits: ResponseLimits { (self as? HTTPClient)?.configuration.limits ?? ResponseLimits() }
}
