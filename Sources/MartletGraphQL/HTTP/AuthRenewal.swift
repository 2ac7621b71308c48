/// Decides what to do after a response whose errors say that the credential is rejected. Pure functions.
enum AuthRenewal {
    /// A response's errors with what the decision needs to know about the request.
    struct Refusal {
        var errors: [GraphQLResponseError]
        /// Whether the response has data beside the errors, decodable or not.
        var hasData: Bool
        var kind: GraphQLOperationKind
        /// Whether the operation has exactly one field at its root and no fragment there. The fields of a fragment would have to be
        /// counted.
        var hasOneRootField: Bool
        /// Whether the request can be sent again.
        var isReplayable: Bool
    }

    /// Returns the decision for the first response. The response to the second request goes to the caller.
    static func decide(_ refusal: Refusal) -> AuthDecision.Answer {
        guard refusal.errors.contains(where: \.isAuthenticationError) else { return .deliver }
        guard refusal.isReplayable, refusal.kind != .mutation || nothingHappened(refusal) else { return .renewAndDeliver }
        return .renewAndResend
    }

    /// Renews the credential if the response rejects it. Returns whether to send the request again. Throws the errors of `renew`.
    static func isToBeSentAgain(
        _ refusal: Refusal, renewing renew: () async throws(GraphQLError) -> Bool
    ) async throws(GraphQLError) -> Bool {
        switch decide(refusal) {
        case .deliver: return false
        case .renewAndResend: return try await renew()
        case .renewAndDeliver:
            // The new credential is for the next call. This call keeps its response, even if the renewal fails.
            _ = try? await renew()
            return false
        }
    }

    /// Whether a mutation was certainly not executed: the whole request was rejected before execution, or its only field was.
    ///
    /// With several fields, those before the rejected one have run (GraphQL §6.2.2), even if the data is null.
    private static func nothingHappened(_ refusal: Refusal) -> Bool {
        // An unreadable path may lead anywhere.
        guard refusal.errors.allSatisfy({ $0.isAuthenticationError && !$0.hasUnreadPath }) else { return false }
        if !refusal.hasData, refusal.errors.allSatisfy(\.path.isEmpty) { return true }
        guard refusal.hasOneRootField else { return false }
        // With data, an error without a path may come from work that the field did after its own.
        return refusal.errors.allSatisfy { $0.path.count == 1 || $0.path.isEmpty && !refusal.hasData }
    }
}

extension OperationDefinition {
    /// Whether it has exactly one field at its root and no fragment there.
    var hasOneRootField: Bool {
        guard selectionSet.selections.count == 1, case .field = selectionSet.selections.first else { return false }
        return true
    }
}

extension ResponseMetadata {
    /// Replaces the credential of the response's request. Concurrent callers share one renewal. Returns whether a new credential is
    /// available.
    ///
    /// Returns false if the request had no renewable credential, or one that was renewed for this call already.
    ///
    /// - Throws: `.http` with `.authenticationFailed` if no new credential can be obtained, `.timeout` if the call's deadline passes first,
    ///   or `.cancelled`.
    func renewCredential(time: any TimeSource) async throws(GraphQLError) -> Bool {
        guard let credential, !credential.isRenewed else { return false }
        do throws(HTTPError) {
            guard let deadline = request?.context.deadline else { return try await credential.renew() }
            return try await race({ () async throws(HTTPError) in try await credential.renew() }, until: deadline, time: time) {
                ErrorContext(stage: .interceptor, detail: "the credential was not renewed within the total timeout")
            }
        } catch { throw .http(error.completed(ifKnown: request, stage: .interceptor)) }
    }

    /// Returns the time left for sending again: until the call's deadline, or `timeout` without one. Throws `.http(.timeout)` if none is
    /// left.
    func timeLeft(of timeout: Duration?, time: any TimeSource) throws(GraphQLError) -> Duration? {
        guard let deadline = request?.context.deadline else { return timeout }
        let left = time.instant.duration(to: deadline)
        guard left > .zero else {
            let error = HTTPError.timeout(ErrorContext(stage: .exchange, detail: "no time is left to send the operation again"))
            throw .http(error.completed(ifKnown: request, stage: .exchange))
        }
        return left
    }
}
