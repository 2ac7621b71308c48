import Martlet

/// `PUT /nests`
nonisolated struct ReplaceNests: Endpoint {
    typealias Response = EmptyResponse
    /// The body of the request.
    let payload: [Nest]

    var path: Path { "nests" }
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(payload) }

    /// One element of the request's body.
    nonisolated struct Nest: Codable, Hashable, Sendable {
        var kind: String
        var eggs: Int
    }
}
