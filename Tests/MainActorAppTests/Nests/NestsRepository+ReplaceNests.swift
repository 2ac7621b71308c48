import Martlet

nonisolated extension HTTPNestsRepository {
    /// Sends `PUT /nests`.
    func replaceNests(payload: [ReplaceNests.Nest]) async throws(HTTPError) {
        try await client.send(ReplaceNests(payload: payload))
    }
}
