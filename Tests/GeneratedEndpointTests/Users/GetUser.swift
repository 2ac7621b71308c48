public import Martlet

/// `GET /api/v1/users/{id}`
public struct GetUser: Endpoint {
    /// The type of the response.
    public typealias Response = User
    /// The value of `{id}` in the path.
    public let id: String

    /// Creates the endpoint.
    public init(id: String) {
        self.id = id
    }

    /// The path.
    public var path: Path { "api/v1/users/\(id)" }
}
