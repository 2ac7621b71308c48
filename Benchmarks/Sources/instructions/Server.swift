import Foundation
import Martlet
import MartletMockServer
import Measuring
import Workloads

/// The server of the workloads, in its own process, so that its work is not counted.
enum Server {
    /// Prints the server's URL and serves until the standard input ends.
    static func run() async throws {
        var options = MockServer.Options()
        options.keepsRequests = false
        // With members in the order of declaration, as most servers write them. Foundation's order differs in each process.
        let products = try JSONBodyEncoder().encode(Product.all)
        let server = try await MockServer.start(options: options) { request in
            let url = URLComponents(string: request.target)
            return switch url?.path {
            case "/1k": .data(Data(repeating: 0x61, count: 1_024))
            case "/100k": .data(Data(repeating: 0x61, count: 102_400))
            case "/json": .data(products, contentType: "application/json")
            case "/cached": .data(Data(repeating: 0x61, count: 1_024), headers: [.cacheControl: "max-age=86400"])
            case "/graphql": .json(#"{"data":{"bird":{"name":"Common swift"}}}"#)
            case let path? where path.hasPrefix("/subscription/"): messages(Int(path.dropFirst("/subscription/".count)) ?? 0)
            case "/events": events(url?.query.flatMap { Int($0.dropFirst("count=".count)) } ?? 0)
            default: .status(404)
            }
        }
        // `print` would hold the line back until the buffer is full.
        FileHandle.standardOutput.write(Data("\(server.url)\n".utf8))
        while readLine() != nil {}
        await server.stop()
    }

    private static func events(_ count: Int) -> MockReply {
        let text = (0..<count).map { "id: \($0)\nevent: sighting\ndata: {\"bird\":\"Common swift\",\"count\":\($0 % 10)}\n\n" }.joined()
        return .data(Data(text.utf8), contentType: "text/event-stream")
    }

    private static func messages(_ count: Int) -> MockReply {
        let message = "event: next\ndata: {\"data\":{\"bird\":\"Common swift\"}}\n\n"
        let text = String(repeating: message, count: count) + "event: complete\ndata:\n\n"
        return .data(Data(text.utf8), contentType: "text/event-stream")
    }
}
