public import Martlet

/// `PATCH /api/v1/users/{id}`
public struct UpdateUser: Endpoint {
    /// The type of the response.
    public typealias Response = User
    /// The value of `{id}` in the path.
    public let id: String
    /// The body of the request.
    public let payload: Body

    /// Creates the endpoint.
    public init(id: String, payload: Body) {
        self.id = id
        self.payload = payload
    }

    /// The path.
    public var path: Path { "api/v1/users/\(id)" }
    /// The method.
    public var method: HTTPMethod { .patch }
    /// The body.
    public var body: RequestBody? { .json(payload) }

    /// The content of the request's body.
    public struct Body: Codable, Hashable, Sendable {
        /// The member `name`.
        public var name: String
        /// The member `role`.
        public var role: JSONValue?
        /// The member `score`.
        public var score: Double
        /// The member `tags`.
        public var tags: [JSONValue]

        /// Creates a value.
        public init(name: String, role: JSONValue? = nil, score: Double, tags: [JSONValue]) {
            self.name = name
            self.role = role
            self.score = score
            self.tags = tags
        }
    }
}
