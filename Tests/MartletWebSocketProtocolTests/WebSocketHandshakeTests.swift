import Foundation
import MartletHTTP
import MartletSystem
import Testing

@testable import MartletWebSocketProtocol

/// Random numbers whose bytes are "the sample nonce", as in RFC 6455 §1.3.
private struct SampleNonce: RandomSource {
    private let words = Locked(
        Array("the sample nonce".utf8).withUnsafeBytes { bytes in
            [8, 0].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        })

    func next() -> UInt64 { words.withLock { $0.popLast() ?? 0 } }
}

/// Tests both sides of the opening handshake (RFC 6455 §4).
@Suite(.timeLimit(.minutes(5)))
struct WebSocketHandshakeTests {
    /// A handshake with the key of the example in RFC 6455 §1.3.
    private func handshake(_ protocols: [String] = [], _ compression: WebSocketCompression? = nil) -> WebSocketHandshake {
        WebSocketHandshake(protocols: protocols, compression: compression, random: SampleNonce())
    }

    private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private func response(_ changes: HTTPFields = [:], without name: HTTPFieldName? = nil) -> HTTPFields {
        var fields: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept]
        if let name { fields.remove(name) }
        fields.replace(with: changes)
        return fields
    }

    @Test("The request has the fields of RFC 6455 §4.1, and a key of 16 random bytes")
    func request() {
        let fields = handshake().fields
        #expect(
            fields == [
                .upgrade: "websocket", .connection: "Upgrade", .secWebSocketVersion: "13", .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==",
            ])
        let full = handshake(["chat", "superchat"], .init()).fields
        #expect(full[.secWebSocketProtocol] == "chat, superchat")
        #expect(full[.secWebSocketExtensions] == "permessage-deflate; client_max_window_bits")
        #expect(WebSocketHandshake().key != WebSocketHandshake().key)
    }

    @Test("The accept value of the example in RFC 6455 §1.3 is accepted")
    func example() throws {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == accept)
        #expect(try handshake().agreement(status: 101, headers: response()) == WebSocketAgreement())
    }

    @Test("Field names and tokens are compared without case, in lists and in several lines (§4.1)")
    func lists() throws {
        var fields: HTTPFields = ["UPGRADE": "h2c, WebSocket", "sec-websocket-accept": "  \(accept) "]
        fields.append("connection", "keep-alive")
        fields.append("Connection", "close , UPGRADE")
        #expect(try handshake().agreement(status: 101, headers: fields) == WebSocketAgreement())
    }

    @Test("Each response that RFC 6455 §4.1 does not allow is rejected for its own reason")
    func rejected() {
        func failure(_ status: HTTPStatus, _ fields: HTTPFields, _ handshake: WebSocketHandshake) -> WebSocketHandshakeFailure? {
            #expect(throws: WebSocketHandshakeFailure.self) { try handshake.agreement(status: status, headers: fields) }
        }
        let plain = handshake(), chat = handshake(["chat"]), compressing = handshake([], .init())
        let table: [(HTTPStatus, HTTPFields, WebSocketHandshake, WebSocketHandshakeFailure)] = [
            (200, response(), plain, .status(200)),
            (101, response(without: .upgrade), plain, .upgrade(nil)),
            (101, response([.upgrade: "h2c"]), plain, .upgrade("h2c")),
            (101, response([.upgrade: "websockets"]), plain, .upgrade("websockets")),
            (101, response(without: .connection), plain, .connection(nil)),
            (101, response([.connection: "keep-alive"]), plain, .connection("keep-alive")),
            (101, response(without: .secWebSocketAccept), plain, .accept(nil)),
            (101, response([.secWebSocketAccept: accept.lowercased()]), plain, .accept(accept.lowercased())),
            (101, response([.secWebSocketProtocol: "chat"]), plain, .subprotocol("chat")),
            (101, response([.secWebSocketProtocol: "Chat"]), chat, .subprotocol("Chat")),
            (101, response([.secWebSocketProtocol: "chat, chat"]), chat, .subprotocol("chat, chat")),
            (101, response([.secWebSocketProtocol: ""]), chat, .subprotocol("")),
            (101, response([.secWebSocketExtensions: "permessage-deflate"]), plain, .extensions("permessage-deflate")),
            (101, response([.secWebSocketExtensions: "x-other"]), compressing, .extensions("x-other")),
            (101, response([.secWebSocketExtensions: "permessage-deflate;"]), compressing, .extensions("permessage-deflate;")),
            (
                101, response([.secWebSocketExtensions: "permessage-deflate, permessage-deflate"]), compressing,
                .extensions("permessage-deflate, permessage-deflate")
            ),
            (
                101, response([.secWebSocketExtensions: "permessage-deflate; server_max_window_bits=\"7\""]), compressing,
                .extensions("permessage-deflate; server_max_window_bits=\"7\"")
            ),
        ]
        for (status, fields, handshake, expected) in table { #expect(failure(status, fields, handshake) == expected) }
    }

    @Test("The selected subprotocol is one of those offered, or none (§4.1)")
    func subprotocols() throws {
        let handshake = handshake(["v2", "v1"])
        #expect(try handshake.agreement(status: 101, headers: response([.secWebSocketProtocol: "v1"])).subprotocol == "v1")
        #expect(try handshake.agreement(status: 101, headers: response()).subprotocol == nil)
    }

    @Test("A server reads the request and accepts it, so that the client agrees (§4.2)")
    func serverSide() throws {
        let client = handshake(["v2", "v1"], .init())
        let request = try WebSocketUpgradeRequest(method: .get, headers: client.fields)
        #expect(request.protocols == ["v2", "v1"] && request.key == client.key && request.extensions.count == 1)
        let reply = request.accept(subprotocol: "v1", compression: .init())
        #expect(
            reply.fields == [
                .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: accept, .secWebSocketProtocol: "v1",
                .secWebSocketExtensions: "permessage-deflate",
            ])
        #expect(reply.agreement == WebSocketAgreement(subprotocol: "v1", compression: PermessageDeflate()))
        #expect(try client.agreement(status: 101, headers: reply.fields) == reply.agreement)
        #expect(request.accept().fields == response())
    }

    @Test("A server refuses requests that are no opening handshake (§4.2.1), and names its version to others (§4.2.2)")
    func refused() {
        func refusal(_ changes: HTTPFields, without name: HTTPFieldName? = nil, method: HTTPMethod = .get) -> WebSocketUpgradeRequest
            .Refusal?
        {
            var fields = handshake().fields
            if let name { fields.remove(name) }
            fields.replace(with: changes)
            return #expect(throws: WebSocketUpgradeRequest.Refusal.self) { try WebSocketUpgradeRequest(method: method, headers: fields) }
        }
        #expect(refusal([:], method: .post)?.description == "the method is POST, not GET")
        #expect(refusal([:], without: .upgrade)?.description == "Upgrade has no \"websocket\"")
        #expect(refusal([.connection: "close"])?.description == "Connection has no \"upgrade\"")
        let version = refusal([.secWebSocketVersion: "8"])
        #expect(version?.status == 426)
        #expect(version?.fields == [.secWebSocketVersion: "13", .upgrade: "websocket", .connection: "Upgrade"])
        #expect(refusal([:], without: .secWebSocketKey)?.description == "Sec-WebSocket-Key is not 16 bytes in base64")
        #expect(refusal([.secWebSocketKey: "dGhlIHNhbXBsZQ=="])?.description == "Sec-WebSocket-Key is not 16 bytes in base64")
        #expect(refusal([.secWebSocketExtensions: "a; ="])?.description == "Sec-WebSocket-Extensions is malformed")
    }
}
