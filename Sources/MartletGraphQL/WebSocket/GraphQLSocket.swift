internal import MartletEssentials
internal import MartletSystem

/// A WebSocket as this module needs it. One task at a time may send, and one may receive.
protocol GraphQLSocket: AnyObject, Sendable {
    /// The subprotocol that the server has selected, or nil for none.
    var selectedProtocol: String? { get }
    /// The response to the handshake, or nil if it is not known.
    var response: HTTPResponse<Void>? { get }

    func send(_ text: String) async throws(HTTPError)

    /// Waits for the next text, or the end. Messages are received only as fast as this is called.
    func receive() async throws(HTTPError) -> GraphQLSocketEvent

    /// Sends a Close frame and closes the connection, from any thread. A waiting ``receive()`` then throws or returns.
    func close(code: UInt16, reason: String)
}

/// What a socket has received.
enum GraphQLSocketEvent: Sendable, Equatable {
    case text(String)
    /// The connection has ended. The code is nil if the Close frame has none, or if there was no Close frame.
    case closed(code: UInt16?, reason: String)
}

/// A handshake: the request for a socket, and what is offered with it.
struct GraphQLSocketHandshake: Sendable {
    let client: any HTTPClientProtocol
    /// A GET without a body.
    let endpoint: GraphQLEndpoint
    let settings: GraphQLSocketSettings
    /// The maximum size of a message in bytes.
    let maxMessageBytes: Int

    /// The text of the target, by which connections are told apart.
    var place: String { endpoint.url?.absoluteString ?? "\(client.baseURL?.absoluteString ?? "") \(endpoint.path.text)" }

    /// The request before interceptors run.
    var made: HTTPRequest {
        // It is sent with the scheme of HTTP, on which the default port depends.
        let url = (endpoint.url ?? client.baseURL ?? URL(filePath: "/")).withoutWebSocketScheme
        return client.completed(HTTPRequest(method: .get, url: url, headers: endpoint.headers))
    }
}

/// Opens a socket.
typealias GraphQLSocketOpening = @Sendable (GraphQLSocketHandshake) async throws(HTTPError) -> any GraphQLSocket

/// How the connections of a transport are opened and kept alive.
struct GraphQLSocketSettings: Sendable {
    /// The protocols that the client offers, in the order of preference.
    var protocols: [GraphQLSocketProtocol] = GraphQLSocketProtocol.allCases
    /// The target of the handshake, or nil for that of the client's other operations.
    var target: GraphQLTarget?
    var acknowledgementTimeout: Duration = .seconds(10)
    var idleTimeout: Duration = .seconds(10)
    var keepAlive: Duration? = .seconds(30)
    /// How long a sign of life may take after a ping.
    var pongTimeout: Duration = .seconds(10)
}
