import Foundation
import Martlet
import MartletCurl
import MartletWebSocket
import Testing

/// Exchanges messages with the PyPI package websockets.
@Suite("websockets: messages", .timeLimit(.minutes(1)))
struct WebSocketTests {
    private struct Agreed: Decodable, Sendable {
        let subprotocol: String?
        let extensions: [String]
    }

    private func client(_ interceptors: any Interceptor...) throws -> HTTPClient {
        HTTPClient(baseURL: try Servers.url("WEBSOCKET", scheme: "ws"), transport: CurlTransport(), interceptors: interceptors)
    }

    /// Messages of each kind and size: at the borders of the lengths of frames, empty, and hardly or easily compressed.
    private static let samples: [WebSocketMessage] = [
        "", "a", .text(String(repeating: "é€𝄞", count: 20_000)), .data(Data()),
        .data(Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })),
    ] + [125, 126, 65_535, 65_536].map { .data(Data(repeating: 7, count: $0)) }

    private static let compressions: [WebSocketCompression?] = {
        var alone = WebSocketCompression(), small = WebSocketCompression()
        alone.clientKeepsContext = false
        alone.serverKeepsContext = false
        small.clientWindowBits = 9
        small.serverWindowBits = 9
        return [nil, WebSocketCompression(), alone, small]
    }()

    @Test("Messages of every kind and size come back unchanged, with compression if it is offered", arguments: compressions)
    func echo(_ compression: WebSocketCompression?) async throws {
        let socket = try await client().webSocket(.get("agreed"), options: WebSocketOptions(compression: compression))
        var messages = socket.messages.makeAsyncIterator()
        guard case .text(let text)? = try await messages.next() else { throw HTTPError.cancelled }
        let agreed = try JSONDecoder().decode(Agreed.self, from: Data(text.utf8))
        #expect(agreed.extensions.isEmpty == (compression == nil))
        for _ in 0..<2 {
            for sample in WebSocketTests.samples {
                try await socket.send(sample)
                let received = try await messages.next()
                #expect(received == sample)
            }
        }
        let end = await socket.close()
        #expect(end.closure?.code == .normalClosure)
    }

    @Test("The server selects one of the subprotocols that are offered, or none", arguments: [["chat.v1", "chat.v2"], ["chat.v1"], []])
    func subprotocols(_ offered: [String]) async throws {
        let socket = try await client().webSocket(.get("agreed"), protocols: offered)
        #expect(socket.subprotocol == (offered.isEmpty ? nil : socket.subprotocol.flatMap { offered.contains($0) ? $0 : "?" }))
        for try await case .text(let text) in socket.messages {
            #expect(try JSONDecoder().decode(Agreed.self, from: Data(text.utf8)).subprotocol == socket.subprotocol)
            break
        }
    }

    @Test("Fragments that divide characters are one message, and the pings between them are answered", arguments: [false, true])
    func fragments(isCompressed: Bool) async throws {
        let options = WebSocketOptions(compression: isCompressed ? WebSocketCompression() : nil)
        let socket = try await client().webSocket(.get("fragments"), options: options)
        var messages: [WebSocketMessage] = []
        for try await message in socket.messages { messages.append(message) }
        #expect(messages == [.text(String(repeating: "é€𝄞", count: 100)), .data(Data(0...255)), "56 pongs"])
    }

    @Test("The server's close codes and reasons are those of the error, and 1000 ends the messages", arguments: [1000, 1001, 1011, 4000])
    func closing(code: UInt16) async throws {
        let socket = try await client().webSocket(.get("close", query: ["code": Int(code), "reason": "the réason"]))
        let closure = WebSocketClosure(code: WebSocketCloseCode(rawValue: code), reason: "the réason", side: .server)
        if code == 1000 {
            for try await _ in socket.messages {}
        } else {
            await #expect(throws: WebSocketError.closed(closure)) { for try await _ in socket.messages {} }
        }
        #expect(await socket.close() == .closed(closure))
    }

    @Test("A refusal is .statusCode with the server's body")
    func refusal() async throws {
        let error = await #expect(throws: HTTPError.self) { _ = try await client().webSocket(.get("nowhere")) }
        #expect(error?.status == .notFound && error?.response?.body == Data("no socket\n".utf8))
    }

    @Test("Pings are answered while a hundred tasks send and one reads")
    func pings() async throws {
        let socket = try await client().webSocket(.get("echo"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { for index in 0..<20 { try await socket.send(.text("\(number) \(index)")) } }
            }
            group.addTask { for _ in 0..<20 { _ = try await socket.ping() } }
            var last: [Int: Int] = [:], count = 0
            for try await case .text(let text) in socket.messages {
                let numbers = text.split(separator: " ").compactMap { Int($0) }
                #expect(numbers[1] == (last[numbers[0]] ?? -1) + 1, "messages of one task stay in order")
                last[numbers[0]] = numbers[1]
                count += 1
                if count == 2_000 { break }
            }
            try await group.waitForAll()
        }
        await socket.close()
    }

    @Test("A slow reader gets each of 20,000 messages, 20 MB, in order")
    func slowReader() async throws {
        let socket = try await client().webSocket(.get("count", query: ["to": 20_000, "padding": 992]))
        var count = 0
        for try await case .text(let text) in socket.messages {
            if count < 50 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(Int(text.prefix(8)) == count && text.utf8.count == 1_000)
            count += 1
        }
        #expect(count == 20_000)
    }

    @Test("Sends wait while the server reads nothing, and all bytes arrive")
    func slowServer() async throws {
        let socket = try await client().webSocket(.get("slow", query: ["seconds": 0.5]))
        let began = ContinuousClock.now
        for _ in 0..<300 { try await socket.send(.data(Data(count: 100_000))) }
        #expect(ContinuousClock.now - began > .milliseconds(300), "30 MB fit into no buffer")
        try await socket.send(.data(Data("end".utf8)))
        for try await message in socket.messages {
            #expect(message == "30000003")
            break
        }
    }

    /// A provider whose tokens the server lets expire one by one.
    private actor Tokens: TokenProvider {
        private var generation = 0
        private(set) var renewals = 0

        func token() -> AccessToken? { AccessToken("token-\(generation)", session: "s") }

        func token(replacing rejected: AccessToken) -> AccessToken? {
            renewals += 1
            generation += 1
            return AccessToken("token-\(generation)", session: "s")
        }
    }

    @Test("A token that expires while the connection is open is renewed by the handshake of the next one")
    func expiry() async throws {
        let tokens = Tokens()
        let client = try client(AuthInterceptor(tokens))
        var rules = WebSocketReconnection(delay: .milliseconds(1))
        rules.closeCodes.insert(4001)
        let request = Request<Data>.get("private").header("X-Session", UUID().uuidString)
        let feed = client.reconnectingWebSocket(request, rules: rules)
        var welcomes: [String] = []
        for try await case .text(let text) in feed.messages {
            welcomes.append(text)
            if welcomes.count == 4 { break }
            try await feed.send("expire")
        }
        #expect(welcomes == (0..<4).map { "welcome Bearer token-\($0), opening \($0 + 1)" })
        #expect(await tokens.renewals == 3)
    }

    @Test("An observer sees one call with its messages in both directions")
    func observed() async throws {
        let recording = HARObserver()
        let client = try client().with { $0.observers = [recording] }
        let socket = try await client.webSocket(.get("echo"))
        for number in 0..<3 {
            try await socket.send(.text("message \(number)"))
            for try await message in socket.messages {
                #expect(message == .text("message \(number)"))
                break
            }
        }
        await socket.close()
        let entry = try JSONValue(parsing: recording.har())["log"]?["entries"]?[0]
        let messages = try #require(entry?["_webSocketMessages"]?.arrayValue)
        #expect(messages.count == 6 && messages.filter { $0["type"] == "send" }.count == 3 && entry?["response"]?["status"] == 101)
    }
}
