internal import MartletEssentials
public import MartletGraphQL

/// A response of a ``GraphQLClientMock`` to an operation: data, errors, both, a failure, or a response that is decoded.
///
/// ```swift
/// let mock = GraphQLClientMock()
/// mock.on(HeroQuery.self, .failure(.http(.timeout)), .data(HeroQuery.Data(hero: Hero(name: "Luke"))).delayed(by: .seconds(1)))
/// ```
public struct StubbedGraphQLResponse<Data: Sendable>: Sendable {
    let answer: ClientStub<AnyGraphQLOperation, GraphQLError>.Answer
    var delay = Duration.zero

    private init(_ answer: ClientStub<AnyGraphQLOperation, GraphQLError>.Answer) { self.answer = answer }

    private init(_ result: GraphQLResult<Data>) { self.init(.value(result)) }

    /// Responds with data and no errors.
    public static func data(_ data: Data) -> Self { Self(.complete(data)) }

    /// Responds with data and errors beside it.
    public static func partial(_ data: Data, _ errors: GraphQLResponseError...) -> Self { Self(.partial(data, errors)) }

    /// Responds with errors and no data.
    public static func errors(_ errors: GraphQLResponseError...) -> Self { Self(.failed(errors)) }

    /// Makes the operation throw this error in place of a response.
    public static func failure(_ error: GraphQLError) -> Self { Self(.failure(error)) }

    /// Responds with a complete GraphQL response, `{"data":…,"errors":…}`, which is decoded as a client does.
    public static func json(_ text: String, status: HTTPStatus = 200, contentType: String = "application/json") -> Self {
        Self(.response(HTTPResponse(status: status, headers: [.contentType: contentType], body: Bytes(text.utf8))))
    }

    /// Returns the response with a delay before it, measured by the mock's time source.
    public func delayed(by duration: Duration) -> Self {
        var answer = self
        answer.delay = duration
        return answer
    }
}

/// The bytes of a body. Needed because `Data` here is the type of an operation's data.
#if canImport(FoundationEssentials)
typealias Bytes = FoundationEssentials.Data
#else
typealias Bytes = Foundation.Data
#endif

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
