public import MartletAuth
internal import MartletEssentials

/// The payload of `connection_init`, with which most servers of GraphQL over WebSocket authenticate a connection.
///
/// ```swift
/// WebSocketSubscriptionTransport(parameters: .token(from: tokens))
/// WebSocketSubscriptionTransport(parameters: GraphQLConnectionParameters { ["apiKey": .string(try await vault.read("api-key").value)] })
/// ```
///
/// They are sent to the endpoint's origin only. If a redirect leads to another one, the operation throws `.http(.redirectFailed)`.
public struct GraphQLConnectionParameters: Sendable {
    /// The parameters of one connection.
    struct Made: Sendable {
        var payload: Data?
        /// Equal for all that belong to one person.
        var identity: String
        var credential: SentCredential?
    }

    private let make: @Sendable (any TimeSource) async throws(HTTPError) -> Made

    /// Creates parameters from a closure, which returns a JSON object, or nil for none.
    ///
    /// It is called for each operation. Operations with equal parameters share a connection.
    public init(_ make: @escaping @Sendable () async throws -> JSONValue?) {
        self.make = { _ async throws(HTTPError) in
            do { return try Self.made(try await make()) } catch let error as HTTPError { throw error } catch {
                if error is CancellationError, Task.isCancelled { throw .cancelled }
                let context = ErrorContext(stage: .request, underlying: error)
                throw .authenticationFailed(Explanation("the parameters of the connection could not be made", context: context))
            }
        }
    }

    private init(making make: @escaping @Sendable (any TimeSource) async throws(HTTPError) -> Made) { self.make = make }

    /// No parameters. The handshake is authenticated like any other request of the client.
    public static var none: Self { Self(making: { _ in Made(payload: nil, identity: "") }) }

    /// Parameters with the token of a provider. If the server rejects the token, the provider replaces it once, and the connection is
    /// opened again.
    ///
    /// - Parameters:
    ///   - provider: The provider, such as a `StoredTokenProvider`. If it has no token, the connection has no parameters.
    ///   - payload: Returns the JSON object for a token. Default: `{"Authorization": "Bearer …"}`.
    public static func token(
        from provider: any TokenProvider,
        payload: @escaping @Sendable (AccessToken) -> JSONValue = { ["Authorization": .string($0.authorization)] }
    ) -> Self {
        let time = InheritedTime(nil)
        let tokens = TokenSource(provider, timeout: .seconds(120), time: time)
        return Self(making: { clock throws(HTTPError) in
            time.adopt(clock)
            let credential = try await tokens.credential()
            guard let credential else { return Made(payload: nil, identity: "") }
            var made = try Self.made(payload(credential.token))
            if let session = credential.token.session { made.identity = "session \(session)" }
            made.credential = credential.sent
            return made
        })
    }

    private static func made(_ value: JSONValue?) throws(HTTPError) -> Made {
        switch value {
        case nil, .null: return Made(payload: nil, identity: "")
        case .object(let members)?:
            let json = JSONValue.object(members).json
            return Made(payload: json, identity: "payload " + String(decoding: json, as: UTF8.self))
        default: throw .invalidRequest("the parameters of a GraphQL connection must be a JSON object")
        }
    }

    /// Returns the parameters for a new operation.
    func made(time: any TimeSource) async throws(HTTPError) -> Made { try await make(time) }
}

// The closures may hold secrets.
extension GraphQLConnectionParameters: CustomStringConvertible, CustomReflectable, RedactedReflection {
    /// A text without the parameters.
    public var description: String { "parameters of a GraphQL connection" }
}
