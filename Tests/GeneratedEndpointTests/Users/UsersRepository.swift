public import Martlet

/// The API's calls for users.
public protocol UsersRepository: Sendable {
    /// Sends `GET /api/v1/users/{id}`.
    func getUser(id: String) async throws(HTTPError) -> User
}

/// Sends the calls with an HTTP client. Tests pass an `HTTPClientMock`.
public struct HTTPUsersRepository: UsersRepository {
    let client: any HTTPClientProtocol

    /// Creates a repository.
    public init(client: any HTTPClientProtocol) {
        self.client = client
    }
}

extension HTTPUsersRepository {
    /// Sends `GET /api/v1/users/{id}`.
    public func getUser(id: String) async throws(HTTPError) -> User {
        try await client.send(GetUser(id: id))
    }
}
