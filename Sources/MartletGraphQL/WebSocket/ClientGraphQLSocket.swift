internal import MartletEssentials
internal import MartletWebSocket

/// A WebSocket of the HTTP client as the socket of a GraphQL protocol.
final class ClientGraphQLSocket: GraphQLSocket {
    private let socket: WebSocket
    private let maxMessageBytes: Int

    private init(_ socket: WebSocket, maxMessageBytes: Int) {
        self.socket = socket
        self.maxMessageBytes = maxMessageBytes
    }

    /// The bytes of a message around its result.
    private static let envelopeBytes = 1024

    /// Makes the handshake.
    static let open: GraphQLSocketOpening = { handshake async throws(HTTPError) in
        var options = WebSocketOptions()
        let maxBytes = handshake.maxMessageBytes.addingReportingOverflow(envelopeBytes)
        options.limits.messageBytes = maxBytes.overflow ? .max : maxBytes.partialValue
        options.limits.frameBytes = options.limits.messageBytes
        // The operations have queues of their own.
        options.maxQueuedMessages = 1
        options.pingInterval = handshake.settings.keepAlive
        options.pongTimeout = handshake.settings.pongTimeout
        options.hasPublicProtocols = true
        let protocols = handshake.settings.protocols.map(\.rawValue)
        let socket = try await handshake.client.webSocket(handshake.endpoint, protocols: protocols, options: options)
        return ClientGraphQLSocket(socket, maxMessageBytes: handshake.maxMessageBytes)
    }

    var selectedProtocol: String? { socket.subprotocol }

    var response: HTTPResponse<Void>? { socket.response }

    func send(_ text: String) async throws(HTTPError) {
        do throws(WebSocketError) { try await socket.send(.text(text)) } catch { throw failure(error) }
    }

    func receive() async throws(HTTPError) -> GraphQLSocketEvent {
        var messages = socket.messages.makeAsyncIterator()
        do throws(WebSocketError) {
            switch try await messages.next() {
            case .text(let text): return .text(text)
            // Some servers send JSON as binary data. Invalid UTF-8 is invalid JSON.
            case .data(let data): return .text(String(decoding: data, as: UTF8.self))
            case nil: return .closed(code: WebSocketCloseCode.normalClosure.rawValue, reason: "")
            }
        } catch {
            guard case .closed(let closure) = error, closure.side == .server else { throw failure(error) }
            return .closed(code: closure.code.rawValue, reason: closure.reason)
        }
    }

    func close(code: UInt16, reason: String) {
        let socket = socket
        Task.detached { await socket.close(code: WebSocketCloseCode(rawValue: code), reason: reason) }
    }

    /// Returns the error of HTTP's layer. This side closes a connection itself only if the server violates the protocol or a limit.
    private func failure(_ error: WebSocketError) -> HTTPError {
        let context = ErrorContext(request: socket.response.metadata.request, stage: .body)
        switch error {
        case .closed(let closure) where closure.side == .client && closure.code == .messageTooBig:
            return .responseTooLarge(SizeLimitFailure(limit: maxMessageBytes, context: context))
        case .closed(let closure) where closure.side == .client:
            return .invalidResponse(Explanation("the WebSocket was \(closure)", context: context))
        case .closed(let closure):
            return .networkError(NetworkFailure(.connectionLost, "the WebSocket was \(closure)", context: context))
        case .failed(let error), .invalidMessage(let error): return error.completed(ifKnown: context.request, stage: .body)
        }
    }
}
