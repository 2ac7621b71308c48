internal import MartletEssentials

/// A validated operation with its encoded parameters, ready to be sent.
struct OperationCall: Sendable {
    let operation: AnyGraphQLOperation
    let definition: OperationDefinition
    let options: GraphQLCallOptions
    /// How the request identifies the document, unless hashes are tried first.
    let form: DocumentForm
    /// The parameters in that form.
    let payload: EncodedPayload
    /// Whether the query is sent by GET.
    let isAskedByGET: Bool
    /// The call that observers see, or nil without observers. It is not part of the options, so that identical queries still share one
    /// response.
    var observed: ObservedCall?

    private static let kinds: Set<GraphQLOperationKind> = [.query, .mutation]

    /// Validates the operation and encodes its parameters. Throws `.invalidDocument`, `.invalidOperation` or `.http(.encodingFailed)`.
    init(
        _ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions, _ configuration: GraphQLClient.Configuration
    ) throws(GraphQLError) {
        definition = try operation.definition(of: OperationCall.kinds, for: "a call with a single response")
        if options.sendsQueriesByGET == true, definition.kind != .query {
            throw .invalidOperation("\(operation) cannot be sent by GET; only queries can")
        }
        let operation = configuration.cache != nil && !configuration.persistedQueries.sendsIDs ? operation.withTypenames() : operation
        self.operation = operation
        self.options = options
        form = try configuration.persistedQueries.form(of: operation)
        payload = try OperationPayload(operation, form, extensions: options.extensions).encoded(with: configuration.encoder)
        isAskedByGET =
            definition.kind == .query && payload.uploads.isEmpty && (options.sendsQueriesByGET ?? configuration.sendsQueriesByGET)
    }

    /// Returns the key that identical queries in flight share, or nil if the operation must be sent by itself.
    func key(headers: HTTPFields, scope: (@Sendable () async -> String)?, since changes: [Int], isAgain: Bool) async -> QueryKey? {
        let call = options.call
        guard definition.kind == .query, payload.uploads.isEmpty, call.context.isUntouched, call.redirects.isClientDefault else {
            return nil
        }
        return QueryKey(
            payload: payload.json, headers: headers, scope: await scope?(), changes: changes, isAskedByGET: isAskedByGET, isAgain: isAgain,
            times: [options.timeout, call.attemptTimeout, call.idleTimeout, call.expectContinue], limits: call.limits,
            deadline: TaskDeadline.current)
    }

    /// Describes a response's errors for the decision about renewing the credential.
    func refusal(_ errors: [GraphQLResponseError], hasData: Bool) -> AuthRenewal.Refusal {
        AuthRenewal.Refusal(
            errors: errors, hasData: hasData, kind: definition.kind, hasOneRootField: definition.hasOneRootField,
            isReplayable: UploadForm.isReplayable(payload))
    }
}

/// The key of a query in flight. Queries with equal keys share one response.
struct QueryKey: Hashable, Sendable {
    let payload: Data
    let headers: HTTPFields
    let scope: String?
    /// The counts of mutations and invalidations when the query started. A query that starts after a mutation does not share a response
    /// from before it.
    let changes: [Int]
    let isAskedByGET: Bool
    /// Whether this is the second request, with a renewed credential.
    let isAgain: Bool
    let times: [Duration?]
    let limits: ResponseLimits?
    /// The deadline of the task, which the shared request obeys.
    let deadline: ContinuousClock.Instant?
}
