internal import MartletEssentials

/// One operation on its way: checked, its parameters written.
struct OperationCall: Sendable {
    let operation: AnyGraphQLOperation
    let definition: OperationDefinition
    let options: GraphQLCallOptions
    /// How the document is told to the server, unless hashes are tried first.
    let form: DocumentForm
    /// The parameters in that form.
    let payload: EncodedPayload
    /// Whether GET is wanted.
    let isAskedByGET: Bool

    /// Checks that the operation can be sent. Throws `.invalidDocument`, `.invalidOperation`, `.http(.encodingFailed)`.
    init(
        _ operation: AnyGraphQLOperation, _ options: GraphQLCallOptions, _ configuration: GraphQLClient.Configuration
    ) throws(GraphQLError) {
        definition = try operation.definition(of: [.query, .mutation], for: "a call that has one answer")
        if options.queryMethod == .get, definition.kind != .query { throw .invalidOperation("\(operation) can't be sent by GET") }
        let operation = configuration.cache != nil && !configuration.persistedQueries.sendsIDs ? operation.withTypenames() : operation
        self.operation = operation
        self.options = options
        form = try configuration.persistedQueries.form(of: operation)
        payload = try OperationPayload(operation, form, extensions: options.extensions).encoded(with: configuration.encoder)
        isAskedByGET = definition.kind == .query && (options.queryMethod ?? configuration.queryMethod) == .get && payload.uploads.isEmpty
    }

    /// What makes it the same as another that is under way; nil when it is to be sent by itself.
    func key(headers: HTTPFields, scope: (@Sendable () async -> String)?, since changes: [Int], isAgain: Bool) async -> QueryKey? {
        let call = options.call
        guard definition.kind == .query, payload.uploads.isEmpty, call.context.isUntouched, call.redirects.isClientDefault else {
            return nil
        }
        return QueryKey(
            payload: payload.json, headers: headers, scope: await scope?(), changes: changes, isAskedByGET: isAskedByGET, isAgain: isAgain,
            times: [options.timeout, call.attemptTimeout, call.idleTimeout, call.expectContinue], limits: call.limits)
    }

    /// What was refused of it.
    func refusal(_ errors: [GraphQLResponseError], hasData: Bool) -> AuthRenewal.Refusal {
        AuthRenewal.Refusal(
            errors: errors, hasData: hasData, kind: definition.kind, hasOneRootField: definition.hasOneRootField,
            isReplayable: UploadForm.isReplayable(payload))
    }
}

/// What two queries have in common when one answer will do for both.
struct QueryKey: Hashable, Sendable {
    let payload: Data
    let headers: HTTPFields
    let scope: String?
    /// Counts of what makes answers old: a query that is asked after a mutation is not answered by one from before.
    let changes: [Int]
    let isAskedByGET: Bool
    /// Whether it is sent again, with another credential.
    let isAgain: Bool
    let times: [Duration?]
    let limits: ResponseLimits?
}
