import MartletClient
import MartletEssentials
import MartletHTTP
import MartletSystem
import MartletTesting
import MartletWebSocketProtocol
import TestSupport

@testable import MartletWebSocket

/// A transport that accepts WebSockets in memory.
final class SocketTransport: Transport {
    enum Answer: Sendable {
        /// Accepts the handshake with these fields in place of the right ones; nil removes one.
        case accept(protocol: String? = nil, HTTPFields = [:], without: HTTPFieldName? = nil)
        case status(HTTPStatus, HTTPFields = [:], String = "")
        /// A 101 without a connection, as from a transport that knows no upgrades.
        case bare101
        case failure(HTTPError)
        case silence
    }

    let calls: CallGroup? = CallGroup()
    let opensWebSockets = true
    let requests = Recorder<HTTPRequest>()
    let connections = Recorder<ServerEnd>()
    private let answer: @Sendable (Int, HTTPRequest) -> Answer

    init(_ answer: @escaping @Sendable (Int, HTTPRequest) -> Answer) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        requests.append(request)
        // As over a network, the response is never there at once.
        await settle()
        var response = HTTPResponse(status: 101, body: HTTPBody.empty)
        switch answer(requests.count, request) {
        case .accept(let selected, let fields, let missing):
            do throws(WebSocketUpgradeRequest.Refusal) {
                response.headers = try WebSocketUpgradeRequest(method: request.method, headers: request.headers).accept(
                    subprotocol: selected
                )
                .fields
            } catch { throw .invalidRequest(Explanation("\(error)")) }
            for field in fields { response.headers[field.name] = field.value }
            if let missing { response.headers.remove(missing) }
            let end = ServerEnd()
            request.context.upgrade?.complete(with: .bytes(end))
            connections.append(end)
        case .status(let status, let fields, let text):
            response = HTTPResponse(status: status, headers: fields, body: HTTPBody(Data(text.utf8)))
        case .bare101: break
        case .failure(let error): throw error
        case .silence:
            let wait = OneShot<Void>()
            await withTaskCancellationHandler {
                await wait.value()
            } onCancel: {
                wait.set(())
            }
            throw .cancelled
        }
        response.metadata.request = request
        return response
    }
}

/// A client over a ``SocketTransport``, with a time that the test advances.
struct SocketBench {
    let time = ManualTime(autoAdvances: false)
    let log = EventLog()
    let transport: SocketTransport

    init(_ answer: @escaping @Sendable (Int, HTTPRequest) -> SocketTransport.Answer = { _, _ in .accept() }) {
        transport = SocketTransport(answer)
    }

    func client(_ interceptors: any Interceptor..., base: String = "https://chat.example/v1/") -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: base), transport: transport, interceptors: interceptors, observers: [log], time: time,
            random: SeededRandom(seed: 1))
    }

    /// Options without keep-alive, whose pings only some tests need, and with sends that return when the server has the message.
    func options(_ change: (inout WebSocketOptions) -> Void = { _ in }) -> WebSocketOptions {
        var options = WebSocketOptions()
        options.pingInterval = nil
        options.maxUnsentBytes = 0
        change(&options)
        return options
    }

    /// Waits until the loop of a reconnecting socket waits for its next connection for the `count`th time.
    func waitForSleep(_ count: Int = 1) async throws {
        try await time.waitForSleeps(count)
        try await time.waitForTimers()
    }

    func open(_ options: WebSocketOptions? = nil) async throws -> (WebSocket, ServerEnd) {
        let socket = try await client().webSocket(.get("room"), options: options ?? self.options())
        return (socket, transport.connections.values[0])
    }
}

extension WebSocket {
    /// Reads all messages to the end.
    func all() async throws -> [WebSocketMessage] {
        var all: [WebSocketMessage] = []
        for try await message in messages { all.append(message) }
        return all
    }
}

/// Waits until a condition holds.
func eventually(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

/// Lets other tasks run for a while, before a test looks at what they must not have done.
func settle() async { for _ in 0..<200 { await Task.yield() } }
