public import MartletWebSocketProtocol

extension MockReply {
    /// Returns a reply that accepts a WebSocket (RFC 6455) and plays this script on it.
    ///
    /// ```swift
    /// server.on(.get("/chat"), .webSocket(.expect("hello"), .send("welcome"), .close()))
    /// server.on(.get("/graphql"), .webSocket(.answer { [.send($0)] }, protocols: ["graphql-transport-ws"]))
    /// ```
    ///
    /// A request that is no opening handshake gets a 400, or 426 for another version. ``MockServer/webSockets`` has what arrives. A
    /// `MockTransport` plays the script in memory.
    ///
    /// The faults ``Fault/delay(_:)`` and ``Fault/disconnect(afterHeadBytes:reset:)`` apply to the handshake. ``Fault/drop(atByte:reset:)``
    /// counts the bytes of frames.
    ///
    /// - Parameters:
    ///   - steps: The script.
    ///   - protocols: The subprotocols that the server speaks, of which it selects the first that the client offers. Default: nil, the
    ///     first one that the client offers.
    ///   - compression: The permessage-deflate (RFC 7692) that the server accepts. Default: nil, none. Without zlib (`libz.so.1`), there is
    ///     none either.
    ///   - headers: Fields of the response. They replace those of the handshake, so that `["Sec-WebSocket-Accept": "wrong"]` is possible.
    public static func webSocket(
        _ steps: WebSocketStep..., protocols: [String]? = nil, compression: WebSocketCompression? = nil, headers: HTTPFields = [:]
    ) -> MockReply {
        webSocket(steps, protocols: protocols, compression: compression, headers: headers)
    }

    /// Returns a reply that accepts a WebSocket and plays a script in an array. See
    /// ``webSocket(_:protocols:compression:headers:)-(WebSocketStep...,_,_,_)``.
    public static func webSocket(
        _ steps: [WebSocketStep], protocols: [String]? = nil, compression: WebSocketCompression? = nil, headers: HTTPFields = [:]
    ) -> MockReply {
        MockReply(.webSocket(WebSocketScript(steps: steps, protocols: protocols, compression: compression)), status: 101, headers: headers)
    }
}

/// The script of a WebSocket, before or after the server has accepted it.
package struct WebSocketScript: Sendable {
    package let steps: [WebSocketStep]
    let protocols: [String]?
    let compression: WebSocketCompression?
    /// What the handshake has agreed on.
    private(set) var agreement = WebSocketAgreement()

    init(steps: [WebSocketStep], protocols: [String]?, compression: WebSocketCompression?) {
        self.steps = steps
        self.protocols = protocols
        self.compression = compression
    }

    /// Returns the reply with the fields that the handshake requires, or a refusal.
    package func accepting(_ reply: MockReply, method: HTTPMethod, headers: HTTPFields) -> MockReply {
        let request: WebSocketUpgradeRequest
        do throws(WebSocketUpgradeRequest.Refusal) { request = try WebSocketUpgradeRequest(method: method, headers: headers) } catch {
            var refusal = MockReply.serverError("this is no opening handshake of WebSocket: \(error)", status: error.status)
            refusal.headers.addMissing(error.fields)
            return refusal
        }
        let selected = request.protocols.first { protocols?.contains($0) ?? true }
        let (fields, agreement) = request.accept(subprotocol: selected, compression: compression)
        var script = self
        script.agreement = agreement
        return reply.changed { reply in
            reply.kind = .webSocket(script)
            reply.headers.addMissing(fields)
        }
    }
}
