import Foundation
import MartletMockServer
import MartletWebSocketProtocol

/// A WebSocket over a ``RawClient``, for tests of the server.
actor WebSocketClient {
    private let client: RawClient
    private var machine: WebSocketConnectionMachine
    let agreement: WebSocketAgreement
    /// The response to the handshake.
    let head: String
    /// The number of bytes that have arrived after the handshake.
    private(set) var receivedBytes = 0

    /// Opens a WebSocket. Throws a ``WebSocketHandshakeFailure`` if the response does not accept it.
    init(
        port: Int, path: String = "/", protocols: [String] = [], compression: WebSocketCompression? = nil,
        receiveBufferBytes: Int32? = nil
    ) async throws {
        client = try RawClient(port: port, receiveBufferBytes: receiveBufferBytes)
        let handshake = WebSocketHandshake(protocols: protocols, compression: compression)
        var request = "GET \(path) HTTP/1.1\r\nHost: x\r\n"
        for field in handshake.fields { request += "\(field.name): \(field.value)\r\n" }
        try await client.send(request + "\r\n")
        head = try await client.read(through: "\r\n\r\n")
        let lines = head.split(separator: "\r\n")
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers.append(HTTPFieldName(String(line[..<colon])), String(line[line.index(after: colon)...]))
        }
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        agreement = try handshake.agreement(status: HTTPStatus(rawValue: status), headers: headers)
        machine = WebSocketConnectionMachine(role: .client, compression: agreement.compression)
    }

    /// Sends messages.
    func send(_ messages: WebSocketMessage...) async throws {
        for message in messages { _ = machine.send(message) }
        try await flush()
    }

    func ping(_ text: String) async throws {
        _ = machine.ping(Data(text.utf8))
        try await flush()
    }

    func close(_ code: WebSocketCloseCode? = .normalClosure, reason: String = "") async throws {
        machine.close(code: code, reason: reason)
        try await flush()
    }

    func sendRaw(_ bytes: [UInt8]) async throws { try await client.send(bytes) }

    /// Ends the connection without a Close frame.
    func drop() async { await client.endSending() }

    /// Returns the next event, or nil at the end of the connection. The replies that it requires are sent.
    func next() async throws -> WebSocketEvent? {
        while true {
            if let event = machine.next() {
                try await flush()
                return event
            }
            guard let bytes = try await client.readSome() else { return nil }
            receivedBytes += bytes.count
            machine.receive(Data(bytes))
        }
    }

    /// Returns all events up to the end of the connection.
    func all() async throws -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        while let event = try await next() { events.append(event) }
        return events
    }

    var wasReset: Bool { get async { await client.wasReset } }

    private func flush() async throws { if let output = machine.takeOutput() { try await client.send(Array(output)) } }
}
