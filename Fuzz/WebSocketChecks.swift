import Foundation
import MartletHTTP

@testable import MartletWebSocketProtocol

/// Checks WebSocket: frames from a peer that may be hostile, messages through both sides, and the fields of the handshake.
enum WebSocketChecks {
    /// The settings in the first byte of an input.
    private struct Settings {
        let role: WebSocketRole
        let compression: PermessageDeflate?
        let pieceBytes: Int

        init(_ byte: UInt8) {
            role = byte & 1 == 0 ? .client : .server
            let direction = PermessageDeflate.Direction(keepsContext: byte & 4 == 0, windowBits: 9 + Int(byte >> 5) % 7)
            compression = byte & 2 == 0 ? nil : PermessageDeflate(client: direction, server: direction, minBytes: 1)
            pieceBytes = 1 + Int(byte >> 3) % 13
        }
    }

    /// Random numbers that are reproducible.
    private struct Keys: RandomSource {
        func next() -> UInt64 { 0x9E37_79B9_7F4A_7C15 }
    }

    private static let limits = WebSocketLimits(frameBytes: 300, messageBytes: 500)

    private static func machine(_ role: WebSocketRole, _ settings: Settings) -> WebSocketConnectionMachine {
        WebSocketConnectionMachine(role: role, limits: limits, compression: settings.compression, random: Keys())
    }

    /// Passes bytes to a machine in pieces, and returns all events.
    private static func read(_ bytes: Data, pieces size: Int, _ machine: inout WebSocketConnectionMachine) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = [], rest = bytes
        while !rest.isEmpty {
            machine.receive(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let event = machine.next() {
                promise(!isLast(events.last), "an event follows the end")
                events.append(event)
            }
            promise(machine.unreadBytes == 0, "bytes are kept unread")
        }
        promise(machine.isReceivingOver == isLast(events.last), "the end is not noticed")
        return events
    }

    private static func isLast(_ event: WebSocketEvent?) -> Bool {
        switch event {
        case .close, .failed: true
        default: false
        }
    }

    static func frames(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let settings = Settings(first), content = Data(bytes.dropFirst())
        var whole = machine(settings.role, settings), divided = machine(settings.role, settings)
        let events = read(content, pieces: max(1, content.count), &whole)
        promise(read(content, pieces: settings.pieceBytes, &divided) == events, "the events depend on how the bytes are divided")
        let output = whole.takeOutput()
        promise(divided.takeOutput() == output, "the output depends on how the bytes are divided")
        for case .message(let message) in events { promise(message.byteCount <= limits.messageBytes, "a message exceeds its limit") }

        var peer = machine(settings.role.peer, settings)
        let replies = read(output ?? Data(), pieces: .max, &peer)
        promise(!replies.contains { if case .failed = $0 { true } else { false } }, "the replies violate the protocol")
        promise(replies.count <= 2, "there are more replies than a pong and a Close frame")
        promise(isLast(replies.last) == isLast(events.last), "the end has no Close frame")
        if case .failed(let violation) = events.last, case .close(let code, _) = replies.last {
            promise(code == violation.closeCode, "the Close frame has the wrong code")
        }
    }

    static func messages(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let settings = Settings(first)
        var sender = machine(settings.role.peer, settings), receiver = machine(settings.role, settings)
        var sent: [WebSocketEvent] = [], rest = bytes.dropFirst()
        while let kind = rest.popFirst() {
            let content = Data(rest.prefix(Int(kind >> 2)))
            rest = rest.dropFirst(content.count)
            switch kind & 3 {
            case 0:
                _ = sender.ping(content)
                sent.append(.ping(content))
            case 1:
                let text = String(decoding: content, as: UTF8.self)
                guard text.utf8.count <= 120 else { continue }
                _ = sender.send(.text(text), fragmentBytes: settings.pieceBytes)
                sent.append(.message(.text(text)))
            default:
                _ = sender.send(.data(content), fragmentBytes: kind & 1 == 0 ? .max : settings.pieceBytes)
                sent.append(.message(.data(content)))
            }
        }
        sender.close(code: 4000, reason: "é")
        sent.append(.close(4000, reason: "é"))
        let events = read(sender.takeOutput() ?? Data(), pieces: settings.pieceBytes, &receiver)
        promise(events == sent, "messages do not arrive as they were sent")
    }

    /// Reads lines as the fields of a request and of a response.
    static func handshake(_ bytes: [UInt8]) {
        var fields = HTTPFields()
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields.append(HTTPFieldName(String(parts[0])), String(parts[1])) }
        }
        let handshake = WebSocketHandshake(protocols: ["a", "b"], compression: .init(), random: Keys())
        fields.addMissing([.secWebSocketAccept: WebSocketHandshake.accept(handshake.key)])
        if let agreement = try? handshake.agreement(status: 101, headers: fields) {
            promise(agreement.subprotocol.map { ["a", "b"].contains($0) } ?? true, "the subprotocol was not offered")
            for direction in [agreement.compression?.client, agreement.compression?.server] {
                promise((8...15).contains(direction?.windowBits ?? 15), "a window is \(direction?.windowBits ?? 0)")
            }
        }
        fields.addMissing(handshake.fields)
        guard let request = try? WebSocketUpgradeRequest(method: .get, headers: fields) else { return }
        let reply = request.accept(subprotocol: request.protocols.first, compression: .init())
        promise(reply.fields[.secWebSocketAccept] == WebSocketHandshake.accept(request.key), "the accept value is wrong")
        promise((WebSocketExtension.all(in: reply.fields)?.count ?? 2) <= 1, "the server's extensions are malformed")
    }
}
