import Martlet

/// The API's calls for nests.
nonisolated protocol NestsRepository: Sendable {
    /// Sends `GET /nests`.
    func listNests() async throws(HTTPError) -> ListNests.Response
}

/// Sends the calls with an HTTP client. Tests pass an `HTTPClientMock`.
nonisolated struct HTTPNestsRepository: NestsRepository {
    let client: any HTTPClientProtocol
}

nonisolated extension HTTPNestsRepository {
    /// Sends `GET /nests`.
    func listNests() async throws(HTTPError) -> ListNests.Response {
        try await client.send(ListNests())
    }
}
