internal import MartletGraphQL

/// Detects a complete response, `{"data":…,"errors":…}`, in place of an operation's data.
///
/// Decoded as data, it would have none of the operation's fields. If these are Optional, all of them would be nil without an error.
enum WholeResponse {
    /// Throws if the data of an operation is a complete response. `place` is where it was given.
    static func check(_ data: JSONValue, givenAs place: String, for operation: AnyGraphQLOperation) throws(GraphQLError) {
        guard isWhole(data, for: operation) else { return }
        throw .invalidOperation(
            Explanation(
                """
                \(place) for \(operation) is a complete response. Write only the value of its "data", or stub the response: \
                mock.on("\(operation.operationName ?? "Name")", .json(#"{"data":…}"#))
                """))
    }

    /// Whether the members of the data are those of a response (GraphQL, September 2025, §7.1) and not fields of the operation.
    static func isWhole(_ data: JSONValue, for operation: AnyGraphQLOperation) -> Bool {
        guard case .object(let members) = data else { return false }
        let names = Set(members.keys)
        guard !names.isDisjoint(with: ["data", "errors"]), names.isSubset(of: ["data", "errors", "extensions"]) else { return false }
        return names.isDisjoint(with: operation.rootKeys)
    }
}

extension AnyGraphQLOperation {
    /// The names of the operation's root fields in its data, including those of fragments.
    fileprivate var rootKeys: Set<String> {
        guard let fragments = try? document.parsed.get().fragments,
            var waiting = try? definition(of: Set(GraphQLOperationKind.allCases), for: "a mock").selectionSet.selections
        else { return [] }
        var keys: Set<String> = [], spread: Set<String> = []
        while let selection = waiting.popLast() {
            switch selection {
            case .field(let field): keys.insert(field.responseKey)
            case .inline(let fragment): waiting += fragment.selectionSet.selections
            case .spread(let fragment):
                guard spread.insert(fragment.name).inserted else { continue }
                waiting += fragments.first { $0.name == fragment.name }?.selectionSet.selections ?? []
            }
        }
        return keys
    }
}
