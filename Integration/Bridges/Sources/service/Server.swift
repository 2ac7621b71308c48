import Martlet
import MartletMockServer

/// A place where a response waits until it is let go.
struct Gate: Sendable {
    private let door = AsyncStream<Void>.makeStream()

    func open() { door.continuation.finish() }
    func wait() async { for await _ in door.stream {} }
}

/// Starts the server of prices, which is busy once, and holds the price of the product 8 back.
func startPriceServer(_ gate: Gate) async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/products/{id}/price"), .status(503), .json(#"{"amount": 42}"#))
    server.on(.get("/products/8/price")) { _, _ in
        await gate.wait()
        return .json(#"{"amount": 43}"#)
    }
    return server
}
