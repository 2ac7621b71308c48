/// What is decided about the credentials of a request: functions of values.
package enum AuthDecision {
    /// What to do with a request before it is sent.
    package enum Sending: Sendable, Equatable {
        /// Put a token on it.
        case attach
        /// Send it as it is.
        case leave
        /// Do not send it: in words, why.
        case refuse(String)
    }

    /// What to do about an answer to a request that was sent with a token.
    package enum Answer: Sendable, Equatable {
        /// It is the caller's.
        case deliver
        /// The token is refused: get another and send the request once more.
        case renewAndResend
        /// The token is refused and the request can't be sent again: get another for the next call, and deliver.
        case renewAndDeliver
    }

    /// What to do about a token that was refused.
    package enum Replacement: Sendable, Equatable {
        /// It is still the one to send: ask for another.
        case renew
        /// It has been replaced since.
        case use(AccessToken)
        /// There is none any more, or one of another session.
        case none
    }

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - origins: where tokens go; nil for the origin of the client's base URL. An empty list, and one with a text that is no
    ///     origin, are refused.
    ///   - isSetByHand: whether the request carries a credential already, which wins.
    package static func willSend(_ request: HTTPRequest, origins: [Origin]?, isSetByHand: Bool) -> Sending {
        if isSetByHand { return .leave }
        guard let allowed = origins ?? request.context.baseOrigin.map({ [$0] }), !allowed.isEmpty else {
            let why = origins == nil ? "the client has no base URL" : "the list of origins is empty"
            return .refuse("\(why): name the origins that the tokens are for, AuthInterceptor(provider, origins: …)")
        }
        // Left out in silence, a token for “api.example” would be looked for in the wrong place.
        if let wrong = allowed.first(where: { $0.scheme.isEmpty }) {
            return .refuse("“\(Redaction.line(wrong.host, limit: 100))” is not an origin: write it as https://host or https://host:port")
        }
        guard let origin = Origin(request.url), allowed.contains(origin) else { return .leave }
        // A request that another origin redirected here is that origin's request.
        return request.context.passedOrigins.allSatisfy(allowed.contains) ? .attach : .leave
    }

    /// Decides about the answer to a request that was sent with a token, once: what comes after sending again is the caller's.
    package static func received(isRefusal: Bool, isReplayable: Bool) -> Answer {
        guard isRefusal else { return .deliver }
        return isReplayable ? .renewAndResend : .renewAndDeliver
    }

    /// Decides about a token that was refused, by the one that is given out now.
    package static func rejected(_ token: AccessToken, current: AccessToken?) -> Replacement {
        guard let current, current.session == token.session else { return .none }
        return current.value == token.value ? .renew : .use(current)
    }
}
