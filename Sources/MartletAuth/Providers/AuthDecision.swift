/// The decisions about the credentials of a request. They depend only on their arguments.
package enum AuthDecision {
    /// The decision about a request before it is sent.
    enum Sending: Sendable, Equatable {
        /// Attach a token.
        case attach
        /// Send the request unchanged.
        case leave
        /// Do not send the request, for this reason.
        case refuse(String)
    }

    /// The decision about the response to a request with a token.
    package enum Answer: Sendable, Equatable {
        /// Return the response to the caller.
        case deliver
        /// The token was rejected. Replace it and send the request once more.
        case renewAndResend
        /// The token was rejected and the request can't be sent again. Replace the token for the next call, and return the response.
        case renewAndDeliver
    }

    /// The decision about a rejected token.
    enum Replacement: Sendable, Equatable {
        /// The token is still the current one. Request a replacement.
        case renew
        /// The token has been replaced already.
        case use(AccessToken)
        /// The provider has no token any more, or one of another session.
        case none
    }

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - origins: The origins that tokens are sent to. Nil for the origin of the client's base URL. An empty list, or one with an invalid
    ///     origin, refuses the request.
    ///   - isSetByHand: Whether the request already has a credential, which takes precedence.
    static func willSend(_ request: HTTPRequest, origins: [Origin]?, isSetByHand: Bool) -> Sending {
        if isSetByHand { return .leave }
        guard let allowed = origins ?? request.context.baseOrigin.map({ [$0] }), !allowed.isEmpty else {
            let why = origins == nil ? "the client has no base URL" : "the list of origins is empty"
            return .refuse("\(why): name the origins that the tokens are for, AuthInterceptor(provider, origins: …)")
        }
        // If an invalid origin were ignored, the developer would look for the missing token in the wrong place.
        if let wrong = allowed.first(where: { $0.scheme.isEmpty }) {
            return .refuse("“\(Redaction.line(wrong.host, limit: 100))” is not an origin: write it as https://host or https://host:port")
        }
        guard let origin = request.origin, allowed.contains(origin) else { return .leave }
        // A request that another origin redirected here is under that origin's control.
        return request.context.passedOrigins.allSatisfy(allowed.contains) ? .attach : .leave
    }

    /// Decides about the first response to a request with a token. The response to the repeated request is always returned.
    static func received(isRefusal: Bool, isReplayable: Bool) -> Answer {
        guard isRefusal else { return .deliver }
        return isReplayable ? .renewAndResend : .renewAndDeliver
    }

    /// Returns the step of the trace for a wait for a token, or nil for a token that the provider had in memory.
    static func step(
        for outcome: Result<AccessToken?, HTTPError>, followsRejection: Bool, after duration: Duration
    ) -> CallTrace.Renewal? {
        let failure: String? =
            switch outcome {
            case .success(_?): nil
            case .success(nil): followsRejection ? "the token provider has no other token" : "the token provider has no token"
            case .failure(let error): error.failureText
            }
        var isShort = duration < .milliseconds(1)
        if case .failure = outcome { isShort = false }
        if !followsRejection, isShort { return nil }
        return CallTrace.Renewal(duration: duration, followsRejection: followsRejection, failure: failure)
    }

    /// Decides about a rejected token by the provider's current one.
    static func rejected(_ token: AccessToken, current: AccessToken?) -> Replacement {
        guard let current, current.session == token.session else { return .none }
        return current.value == token.value ? .renew : .use(current)
    }
}
