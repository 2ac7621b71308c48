import Martlet

/// The API's calls for searching.
protocol Searching: Sendable {
    /// Sends `POST /search/{index}.json`.
    func search(index: String, payload: Search.Body) async throws(HTTPError) -> Search.Response
}

/// Sends the calls with an HTTP client. Tests pass an `HTTPClientMock`.
struct HTTPSearching: Searching {
    let client: any HTTPClientProtocol
}

extension HTTPSearching {
    /// Sends `POST /search/{index}.json`.
    func search(index: String, payload: Search.Body) async throws(HTTPError) -> Search.Response {
        try await client.send(Search(index: index, payload: payload))
    }
}
