internal import MartletGraphQL
internal import MartletGraphQLSchema

extension GraphQLClientMock {
    /// Throws the errors that sending an operation as one of these kinds would throw, and the violations of the schema.
    func check(_ operation: AnyGraphQLOperation, for kinds: Set<GraphQLOperationKind>) throws(GraphQLError) {
        try operation.check(for: kinds)
        guard let schema else { return }
        var violations = operation.document.violations(in: schema).map(\.description)
        if violations.isEmpty, let definition = try? operation.definition(of: kinds, for: "a mock") {
            violations = VariableValues.violations(of: operation.variables, for: definition, schema: schema)
        }
        if !violations.isEmpty { throw Self.error("\(operation) is invalid in the mock's schema", violations) }
    }

    /// Throws if data of a stub, or of ``result``, can't be a response of a server with the schema.
    func check(_ data: JSONValue, of operation: AnyGraphQLOperation) throws(GraphQLError) {
        guard let schema, let document = try? operation.document.parsed.get(),
            let definition = try? operation.definition(of: Set(GraphQLOperationKind.allCases), for: "a mock")
        else { return }
        let violations = ResponseData.violations(of: data, for: definition, in: document, schema: schema)
        if !violations.isEmpty { throw Self.error("the stubbed data for \(operation) is invalid in the mock's schema", violations) }
    }

    private static func error(_ message: String, _ violations: [String]) -> GraphQLError {
        .invalidOperation(HTTPError.Explanation("\(message):\n" + violations.map { "  \($0)" }.joined(separator: "\n")))
    }
}
