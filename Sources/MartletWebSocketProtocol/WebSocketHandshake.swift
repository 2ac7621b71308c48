internal import MartletEssentials
package import MartletHTTP

extension HTTPFieldName {
    package static var upgrade: Self { "Upgrade" }
    package static var secWebSocketAccept: Self { "Sec-WebSocket-Accept" }
    package static var secWebSocketExtensions: Self { "Sec-WebSocket-Extensions" }
    package static var secWebSocketKey: Self { "Sec-WebSocket-Key" }
    package static var secWebSocketProtocol: Self { "Sec-WebSocket-Protocol" }
    package static var secWebSocketVersion: Self { "Sec-WebSocket-Version" }
}

/// What both sides have agreed on in an opening handshake.
package struct WebSocketAgreement: Sendable, Hashable {
    /// The subprotocol that the server has selected, or nil for none.
    package var subprotocol: String?
    package var compression: PermessageDeflate?

    package init(subprotocol: String? = nil, compression: PermessageDeflate? = nil) {
        self.subprotocol = subprotocol
        self.compression = compression
    }
}

/// The client's side of one opening handshake (RFC 6455 §4.1). Each attempt has a key of its own.
package struct WebSocketHandshake: Sendable {
    /// The value of `Sec-WebSocket-Key`.
    package let key: String
    private let protocols: [String]
    private let compression: WebSocketCompression?

    /// Creates a handshake with a random key.
    ///
    /// - Parameters:
    ///   - protocols: The subprotocols to offer, the preferred one first. Each must be a token and different from the others.
    ///   - compression: The compression to offer, or nil for none. Without zlib, none is offered.
    package init(protocols: [String] = [], compression: WebSocketCompression? = nil, random: any RandomSource = .system) {
        var nonce = Data(capacity: 16)
        for _ in 0..<2 { withUnsafeBytes(of: random.next()) { nonce.append(contentsOf: $0) } }
        key = nonce.base64EncodedString()
        self.protocols = protocols
        self.compression = PermessageDeflate.isAvailable ? compression : nil
    }

    /// The fields of the request, of which none may have been there before.
    package var fields: HTTPFields {
        var fields: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketVersion: "13", .secWebSocketKey: key,
        ]
        if !protocols.isEmpty { fields[.secWebSocketProtocol] = protocols.joined(separator: ", ") }
        if let compression { fields[.secWebSocketExtensions] = compression.offer }
        return fields
    }

    /// Checks the response (RFC 6455 §4.1) and returns what it agrees on.
    package func agreement(status: HTTPStatus, headers: HTTPFields) throws(WebSocketHandshakeFailure) -> WebSocketAgreement {
        guard status == 101 else { throw .status(status) }
        guard headers.hasMember("websocket", in: .upgrade) else { throw .upgrade(headers[.upgrade]) }
        guard headers.hasMember("upgrade", in: .connection) else { throw .connection(headers[.connection]) }
        guard headers[.secWebSocketAccept] == WebSocketHandshake.accept(key) else { throw .accept(headers[.secWebSocketAccept]) }
        return WebSocketAgreement(subprotocol: try subprotocol(headers), compression: try extensions(headers))
    }

    private func subprotocol(_ headers: HTTPFields) throws(WebSocketHandshakeFailure) -> String? {
        guard let selected = headers[.secWebSocketProtocol] else { return nil }
        guard protocols.contains(where: selected.hasSameBytes) else { throw .subprotocol(selected) }
        return selected
    }

    private func extensions(_ headers: HTTPFields) throws(WebSocketHandshakeFailure) -> PermessageDeflate? {
        guard let value = headers[.secWebSocketExtensions] else { return nil }
        guard let extensions = WebSocketExtension.all(in: headers) else { throw .extensions(value) }
        guard let first = extensions.first else { return nil }
        guard extensions.count == 1, let agreed = compression?.agreed(first) else { throw .extensions(value) }
        return agreed
    }

    /// Returns the value of `Sec-WebSocket-Accept` for a key (RFC 6455 §4.2.2).
    package static func accept(_ key: String) -> String {
        Data(SHA1.digest(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }
}

/// A response to an opening handshake that RFC 6455 §4.1 does not allow. The values are those of the response, nil if they are missing.
package enum WebSocketHandshakeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another status than 101.
    case status(HTTPStatus)
    /// `Upgrade` without "websocket".
    case upgrade(String?)
    /// `Connection` without "upgrade".
    case connection(String?)
    /// `Sec-WebSocket-Accept` is not the one of the key.
    case accept(String?)
    /// `Sec-WebSocket-Protocol` is not one of those offered.
    case subprotocol(String)
    /// `Sec-WebSocket-Extensions` is malformed, or does not fit the offer.
    case extensions(String)

    package var description: String {
        func value(_ field: String, _ value: String?) -> String { value.map { "its \(field) is \"\($0)\"" } ?? "it has no \(field)" }
        switch self {
        case .status(let status): return "the server did not switch to WebSocket: its status is \(status)"
        case .upgrade(let text): return "the server did not switch to WebSocket: \(value("Upgrade", text))"
        case .connection(let text): return "the server did not switch to WebSocket: \(value("Connection", text))"
        case .accept(nil): return "the server did not switch to WebSocket: \(value("Sec-WebSocket-Accept", nil))"
        case .accept: return "the server's Sec-WebSocket-Accept does not match the key of the request"
        case .subprotocol(let text): return "the server selected the subprotocol \"\(text)\", which was not offered"
        case .extensions(let text): return "the server's Sec-WebSocket-Extensions do not fit the offer: \"\(text)\""
        }
    }
}

/// A client's request for a WebSocket, as a server reads it (RFC 6455 §4.2.1).
package struct WebSocketUpgradeRequest: Sendable {
    package let key: String
    /// The subprotocols that the client offers, in its order of preference.
    package let protocols: [String]
    /// The extensions that the client offers, in its order of preference.
    package let extensions: [WebSocketExtension]

    /// What a request lacks. The description is a sentence without its period.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package let description: String
        /// The status and the fields of the response: 426 for another version (RFC 6455 §4.2.2).
        package let status: HTTPStatus
        package let fields: HTTPFields

        init(_ description: String, status: HTTPStatus = 400, fields: HTTPFields = [:]) {
            self.description = description
            self.status = status
            self.fields = fields
        }
    }

    package init(method: HTTPMethod, headers: HTTPFields) throws(Refusal) {
        guard method == .get else { throw Refusal("the method is \(method), not GET") }
        guard headers.hasMember("websocket", in: .upgrade) else { throw Refusal("Upgrade has no \"websocket\"") }
        guard headers.hasMember("upgrade", in: .connection) else { throw Refusal("Connection has no \"upgrade\"") }
        guard headers[.secWebSocketVersion] == "13" else {
            throw Refusal(
                "Sec-WebSocket-Version is not 13", status: 426,
                fields: [.secWebSocketVersion: "13", .upgrade: "websocket", .connection: "Upgrade"])
        }
        guard let key = headers[.secWebSocketKey], Data(base64Encoded: key)?.count == 16 else {
            throw Refusal("Sec-WebSocket-Key is not 16 bytes in base64")
        }
        guard let extensions = WebSocketExtension.all(in: headers) else { throw Refusal("Sec-WebSocket-Extensions is malformed") }
        self.key = key
        self.extensions = extensions
        protocols = headers[.secWebSocketProtocol]?.listMembers.filter { !$0.isEmpty } ?? []
    }

    /// Accepts the request (RFC 6455 §4.2.2) and returns the fields of the response with the status 101, and what they agree on.
    ///
    /// - Parameters:
    ///   - subprotocol: The subprotocol to select, which need not be one of those offered.
    ///   - compression: The compression to accept if the client offers it, or nil for none. Without zlib, none is accepted.
    package func accept(
        subprotocol: String? = nil, compression: WebSocketCompression? = nil
    ) -> (fields: HTTPFields, agreement: WebSocketAgreement) {
        var fields: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: WebSocketHandshake.accept(key),
        ]
        if let subprotocol { fields[.secWebSocketProtocol] = subprotocol }
        let response = (PermessageDeflate.isAvailable ? compression : nil)?.response(to: extensions)
        if let response { fields[.secWebSocketExtensions] = response.text }
        return (fields, WebSocketAgreement(subprotocol: subprotocol, compression: response?.agreed))
    }
}

extension HTTPFields {
    /// Whether a list field has a member, compared without regard to case.
    fileprivate func hasMember(_ member: String, in name: HTTPFieldName) -> Bool {
        self[name]?.listMembers.contains { $0.equalsIgnoringCase(member) } ?? false
    }
}
