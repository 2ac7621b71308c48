public import Martlet

extension HTTPUsersRepository {
    /// Sends `PATCH /api/v1/users/{id}`.
    public func updateUser(id: String, payload: UpdateUser.Body) async throws(HTTPError) -> User {
        try await client.send(UpdateUser(id: id, payload: payload))
    }
}
