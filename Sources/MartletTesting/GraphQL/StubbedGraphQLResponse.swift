internal import MartletEssentials
public import MartletGraphQL

/// What a ``GraphQLClientMock`` answers to an operation: data, errors, both, a failure, or an answer that is decoded for real.
///
/// ```swift
/// mock.on(HeroQuery.self, .failure(.http(.timeout)), .data(luke).delayed(by: .seconds(1)))
/// ```
public struct StubbedGraphQLResponse<Data: Sendable>: Sendable {
    let answer: ClientStub<AnyGraphQLOperation, GraphQLError>.Answer
    var delay = Duration.zero

    private init(_ answer: ClientStub<AnyGraphQLOperation, GraphQLError>.Answer) { self.answer = answer }

    private init(_ result: GraphQLResult<Data>) { self.init(.value(result)) }

    /// Data, and no errors.
    public static func data(_ data: Data) -> Self { Self(.complete(data)) }

    /// Data with errors.
    public static func partial(_ data: Data, _ errors: GraphQLResponseError...) -> Self { Self(.partial(data, errors)) }

    /// The server's errors, and no data.
    public static func errors(_ errors: GraphQLResponseError...) -> Self { Self(.failed(errors)) }

    /// An error instead of an answer.
    public static func failure(_ error: GraphQLError) -> Self { Self(.failure(error)) }

    /// A whole answer, `{"data":…,"errors":…}`, read as a client reads it.
    public static func json(_ text: String, status: HTTPStatus = 200, contentType: String = "application/json") -> Self {
        Self(.response(HTTPResponse(status: status, headers: [.contentType: contentType], body: Bytes(text.utf8))))
    }

    /// The answer, after a wait on the mock's time.
    public func delayed(by duration: Duration) -> Self {
        var answer = self
        answer.delay = duration
        return answer
    }
}

/// The bytes of a body, where `Data` is an operation's data.
#if canImport(FoundationEssentials)
typealias Bytes = FoundationEssentials.Data
#else
typealias Bytes = Foundation.Data
#endif
