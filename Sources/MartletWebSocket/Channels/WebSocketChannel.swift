public import MartletClient
public import MartletEssentials
internal import MartletHTTP
internal import MartletWebSocketProtocol

/// A WebSocket connection whose messages are values, which `webSocket(_:receiving:sending:protocols:options:)` of a client returns.
///
/// ```swift
/// let chat = try await client.webSocket(.get("chat"), receiving: Post.self, sending: Draft.self)
/// try await chat.send(Draft(text: "hello"))
/// for try await post in chat.values { print(post.text) }
/// ```
///
/// Values are sent as texts with the output of the client's encoder, and read from texts and data with its decoder. With `String` as the
/// type, a value is the text itself, with `Data` the bytes of a binary message.
public struct WebSocketChannel<Incoming: Decodable & Sendable, Outgoing: Encodable & Sendable>: Sendable {
    /// The connection.
    public let socket: WebSocket
    private let decoder: any BodyDecoder
    private let encoder: any BodyEncoder

    /// Creates a channel over a connection.
    ///
    /// - Parameters:
    ///   - socket: The connection.
    ///   - decoder: Reads the values that arrive. Default: `.json`.
    ///   - encoder: Writes the values that are sent. Default: `.json`.
    public init(_ socket: WebSocket, decoder: any BodyDecoder = .json, encoder: any BodyEncoder = .json) {
        self.socket = socket
        self.decoder = decoder
        self.encoder = encoder
    }

    /// Sends a value. See ``WebSocket/send(_:)``.
    ///
    /// - Throws: ``WebSocketError/invalidMessage(_:)`` if the value can't be encoded, and the errors of sending.
    @concurrent public func send(_ value: Outgoing) async throws(WebSocketError) { try await socket.send(message(of: value)) }

    /// The values that the server sends, in order. See ``WebSocket/messages`` for its end.
    ///
    /// A message that can't be decoded throws ``WebSocketError/invalidMessage(_:)``, whose response has the message as its body, and ends
    /// the iteration. The connection stays open: a new iteration begins with the next message.
    public var values: ValueSequence<Incoming, WebSocketError> {
        ValueSequence { [self] in
            var messages = socket.messages.makeAsyncIterator()
            return { () async throws(WebSocketError) in
                guard let message = try await messages.next() else { return nil }
                return try value(of: message)
            }
        }
    }

    private func message(of value: Outgoing) throws(WebSocketError) -> WebSocketMessage {
        if let text = value as? String { return .text(text) }
        if let data = value as? Data { return .data(data) }
        do { return .text(String(decoding: try encoder.encode(value), as: UTF8.self)) } catch {
            let context = ErrorContext(request: socket.response.metadata.request, stage: .request, underlying: error)
            throw .invalidMessage(.encodingFailed(Explanation("\(Outgoing.self) can't be encoded", context: context)))
        }
    }

    private func value(of message: WebSocketMessage) throws(WebSocketError) -> Incoming {
        let content =
            switch message {
            case .text(let text): Data(text.utf8)
            case .data(let data): data
            }
        do throws(HTTPError) {
            let response = socket.response.map { _ in content }
            return try ResponseDecoding<Incoming>.decodable.value(of: response, with: decoder).body
        } catch { throw .invalidMessage(error.completed(ifKnown: socket.response.metadata.request, stage: .decoding)) }
    }
}

extension EndpointClient {
    /// Opens a WebSocket connection whose messages are values. See `webSocket(_:protocols:options:)`.
    ///
    /// ```swift
    /// let chat = try await client.webSocket(.get("chat"), receiving: Post.self, sending: Draft.self)
    /// ```
    ///
    /// Values are written with the client's encoder and read with its decoder.
    @_disfavoredOverload
    @concurrent public func webSocket<E: Endpoint, Incoming: Decodable & Sendable, Outgoing: Encodable & Sendable>(
        _ endpoint: E, receiving incoming: Incoming.Type, sending outgoing: Outgoing.Type, protocols: [String] = [],
        options: WebSocketOptions = WebSocketOptions()
    ) async throws(Failure) -> WebSocketChannel<Incoming, Outgoing> {
        let socket = try await webSocket(endpoint, protocols: protocols, options: options)
        return WebSocketChannel(socket, decoder: decoder, encoder: encoder)
    }

    /// Opens a WebSocket connection whose messages are values. See `webSocket(_:receiving:sending:protocols:options:)` for endpoints.
    @_disfavoredOverload
    @concurrent public func webSocket<Response: Sendable, Incoming: Decodable & Sendable, Outgoing: Encodable & Sendable>(
        _ request: Request<Response>, receiving incoming: Incoming.Type, sending outgoing: Outgoing.Type, protocols: [String] = [],
        options: WebSocketOptions = WebSocketOptions()
    ) async throws(Failure) -> WebSocketChannel<Incoming, Outgoing> {
        let socket = try await webSocket(request, protocols: protocols, options: options)
        return WebSocketChannel(socket, decoder: decoder, encoder: encoder)
    }

    /// Opens a WebSocket connection whose messages are values. See `webSocket(_:receiving:sending:protocols:options:)` for endpoints.
    @concurrent public func webSocket<Incoming: Decodable & Sendable, Outgoing: Encodable & Sendable>(
        _ request: Request<Data>, receiving incoming: Incoming.Type, sending outgoing: Outgoing.Type, protocols: [String] = [],
        options: WebSocketOptions = WebSocketOptions()
    ) async throws(Failure) -> WebSocketChannel<Incoming, Outgoing> {
        let socket = try await webSocket(request, protocols: protocols, options: options)
        return WebSocketChannel(socket, decoder: decoder, encoder: encoder)
    }
}
