/// What is decided about an answer whose errors say that the credential is refused: functions of values.
enum AuthRenewal {
    /// What was refused.
    struct Refusal {
        /// The errors of the answer.
        var errors: [GraphQLResponseError]
        /// Whether there are data beside them, of their type or not.
        var hasData: Bool
        /// What the operation does.
        var kind: GraphQLOperationKind
        /// Whether the operation has one field at its root, and no fragments there, whose fields would have to be counted.
        var hasOneRootField: Bool
        /// Whether the request can be sent again.
        var isReplayable: Bool
    }

    /// Decides, once: what comes after sending again is the caller's.
    static func decide(_ refusal: Refusal) -> AuthDecision.Answer {
        guard refusal.errors.contains(where: \.isAuthenticationError) else { return .deliver }
        guard refusal.isReplayable, refusal.kind != .mutation || nothingHappened(refusal) else { return .renewAndDeliver }
        return .renewAndResend
    }

    /// Renews the credential when the answer says that it is refused; true when the request is to be sent again with another. Throws what
    /// `renewing` throws.
    static func isToBeSentAgain(
        _ refusal: Refusal, renewing renew: () async throws(GraphQLError) -> Bool
    ) async throws(GraphQLError) -> Bool {
        switch decide(refusal) {
        case .deliver: return false
        case .renewAndResend: return try await renew()
        case .renewAndDeliver:
            // For the next call; this one has its answer, whatever comes of it.
            _ = try? await renew()
            return false
        }
    }

    /// Whether a mutation has certainly done nothing: all of it was refused before it ran, or its only field was.
    ///
    /// With several fields, those before the refused one have run (GraphQL §6.2.2), even when nothing is left of the data.
    private static func nothingHappened(_ refusal: Refusal) -> Bool {
        // A path that can't be read may lead anywhere.
        guard refusal.errors.allSatisfy({ $0.isAuthenticationError && !$0.hasUnreadPath }) else { return false }
        if !refusal.hasData, refusal.errors.allSatisfy(\.path.isEmpty) { return true }
        guard refusal.hasOneRootField else { return false }
        // Beside data an error without a path may be of something that the field did after its work.
        return refusal.errors.allSatisfy { $0.path.count == 1 || $0.path.isEmpty && !refusal.hasData }
    }
}

extension OperationDefinition {
    /// Whether it has one field at its root, and no fragments there.
    var hasOneRootField: Bool {
        guard selectionSet.selections.count == 1, case .field = selectionSet.selections.first else { return false }
        return true
    }
}

extension ResponseMetadata {
    /// Replaces the credential that the answer's request was sent with, once for all who ask at the same time: true when another is there
    /// to send again with.
    ///
    /// Not when the request had none that can be replaced, or one that was got for this very call. Throws `.http`: `.authenticationFailed`
    /// when there is none to be had, `.timeout` when the deadline of the call passes before, `.cancelled`.
    func renewCredential(time: any TimeSource) async throws(GraphQLError) -> Bool {
        guard let credential, !credential.isRenewed else { return false }
        do throws(HTTPError) {
            guard let deadline = request?.context.deadline else { return try await credential.renew() }
            return try await race({ () async throws(HTTPError) in try await credential.renew() }, until: deadline, time: time) {
                ErrorContext(stage: .interceptor, detail: "the credential was not renewed within the total timeout")
            }
        } catch { throw .http(error.completed(ifKnown: request, stage: .interceptor)) }
    }

    /// Returns what is left of the call's time for sending again; without a deadline, `timeout`. Throws `.http(.timeout)` when it is over.
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
