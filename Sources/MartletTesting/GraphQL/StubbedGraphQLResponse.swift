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

    /// Returns data without errors.
    public static func data(_ data: Data) -> Self { Self(.complete(data)) }

    /// Returns data with errors.
    public static func partial(_ data: Data, _ errors: GraphQLResponseError...) -> Self { Self(.partial(data, errors)) }

    /// Returns a stub that responds with errors and no data.
    public static func errors(_ errors: GraphQLResponseError...) -> Self { Self(.failed(errors)) }

    /// Throws an error.
    public static func failure(_ error: GraphQLError) -> Self { Self(.failure(error)) }

    /// Responds with a complete GraphQL response, `{"data":…,"errors":…}`, which is decoded as a client does.
    public static func json(_ text: String, status: HTTPStatus = 200, contentType: String = "application/json") -> Self {
        Self(.response(HTTPResponse(status: status, headers: [.contentType: contentType], body: Bytes(text.utf8))))
    }

    /// Returns the response with a delay on the mock's time source.
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
