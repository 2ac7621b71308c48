import Foundation
import Martlet
import MartletTesting
import Testing

@testable import MartletCurl

/// Tests paging over real connections.
@Suite("Pages over sockets", .timeLimit(.minutes(5)))
struct PagesOverCurlTests {
    private func page(_ number: Int, of count: Int) -> MockReply {
        .json("[\(number)]", headers: number < count ? ["Link": "</items?page=\(number + 1)>; rel=\"next\", </items>; rel=first"] : [:])
    }

    @Test("Pages are fetched by their links over one connection, and a page that fails is retried")
    func links() async throws {
        let server = try await MockServer.start()
        server.enqueue(page(1, of: 3), .status(503, headers: ["Retry-After": "0"]), page(2, of: 3), page(3, of: 3))
        let client = HTTPClient(
            baseURL: server.url, transport: CurlTransport(),
            interceptors: [RetryInterceptor(RetryPolicy(maxAttempts: 2, backoff: .constant(.zero)))])
        var all: [Int] = []
        for try await number in client.items(Request<[Int]>.get("items"), next: .link, options: .init(prefetch: 1)) { all.append(number) }
        #expect(all == [1, 2, 3])
        #expect(server.requests.map(\.target) == ["/items", "/items?page=2", "/items?page=2", "/items?page=3"])
        #expect(server.connectionCount == 1)
        await server.stop()
    }

    @Test("Leaving the loop ends the request for the next page")
    func leaving() async throws {
        let server = try await MockServer.start()
        server.enqueue(page(1, of: 3), .silence)
        let client = HTTPClient(baseURL: server.url, transport: CurlTransport())
        for try await _ in client.pages(Request<[Int]>.get("items"), next: .link, options: .init(prefetch: 1)) {
            try await server.waitForRequests(2)
            break
        }
        try await server.waitForOpenConnections(atMost: 0)
        await server.stop()
    }
}
