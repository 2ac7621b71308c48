import Foundation
import MartletHTTP
import Testing

@testable import MartletWebSocketProtocol

/// Tests compressed messages (RFC 7692 §6 and §7.2).
@Suite(.enabled(if: PermessageDeflate.isAvailable, "compression needs zlib: install zlib1g"), .timeLimit(.minutes(5)))
struct MessageCompressionTests {
    private static let forgetful = PermessageDeflate(client: .init(keepsContext: false), server: .init(keepsContext: false))

    private func outcome(
        _ hex: String, _ compression: PermessageDeflate = .init(), limits: WebSocketLimits = .init(), role: WebSocketRole = .client
    ) -> Outcome {
        Outcome(Data(hex: hex), role: role, limits: limits, compression: compression)
    }

    private func machine(_ role: WebSocketRole, _ compression: PermessageDeflate) -> WebSocketConnectionMachine {
        WebSocketConnectionMachine(role: role, compression: compression, random: FixedRandom(number: 0x1122_3344_5566_7788))
    }

    @Test(
        "The examples of RFC 7692 §7.2.3 are expanded",
        arguments: [
            "c107 f248cdc9c90700",  // §7.2.3.1, one frame
            "4103 f248cd 8004 c9c90700",  // in two frames
            "c10b 000500faff48656c6c6f00",  // §7.2.3.3, a block without compression
            "c108 f348cdc9c9070000",  // §7.2.3.4, a final block
            "c10d f248050000 00ffff cac9c90700",  // §7.2.3.5, two blocks
            "8105 48656c6c6f",  // not compressed
        ])
    func examples(hex: String) {
        #expect(outcome(hex).events == [.message("Hello")])
    }

    @Test("A message may refer to an earlier one, also after a final block, if the sender keeps its context (§7.2.3.2)")
    func context() {
        let twice = "c107 f248cdc9c90700 c105 f200110000"
        #expect(outcome(twice).events == [.message("Hello"), .message("Hello")])
        #expect(outcome("c108 f348cdc9c9070000 c105 f200110000").events == [.message("Hello"), .message("Hello")])
        // A message without compression is not part of the context.
        #expect(outcome("c107 f248cdc9c90700 810178 c105 f200110000").events == [.message("Hello"), .message("x"), .message("Hello")])
        let forgotten = outcome(twice, MessageCompressionTests.forgetful)
        #expect(forgotten.events == [.message("Hello"), .failed(.invalidCompression)])
        #expect(forgotten.replies == [.close(.invalidPayload, reason: "the compressed data of a message is corrupt")])
    }

    @Test("Empty messages, fragments and control frames among them are read (§6.2, §7.2.3.6)")
    func fragments() {
        #expect(outcome("c10100").events == [.message("")])
        #expect(outcome("4103f248cd 890161 0000 8004c9c90700").events == [.ping(Data("a".utf8)), .message("Hello")])
        #expect(outcome("4107f248cdc9c90700 8000").events == [.message("Hello")])
    }

    @Test("RSV1 may be set only in the first frame of a message (§6.1)")
    func reservedBit() {
        #expect(outcome("4103f248cd c004c9c90700").events == [.failed(.reservedBits)])
        #expect(outcome("c900").events == [.failed(.reservedBits)])
        #expect(Outcome(Data(hex: "c107f248cdc9c90700")).events == [.failed(.reservedBits)])
    }

    @Test("Corrupt data fails with 1007, and text is checked after it was expanded")
    func corrupt() {
        #expect(outcome("c102ffff").events == [.failed(.invalidCompression)])
        // A distance beyond the start of the window.
        #expect(outcome("c105f200110000").events == [.failed(.invalidCompression)])
        // A block without compression that contains FF, as text and as data.
        #expect(outcome("c107 000100feffff00").events == [.failed(.invalidText)])
        #expect(outcome("c207 000100feffff00").events == [.message(.data(Data([0xFF])))])
        // Text before corrupt data is checked first, however they are divided.
        #expect(outcome("c108 000100feffff ffff").events == [.failed(.invalidText)])
        // An incomplete character at the end.
        #expect(outcome("c107 000100feffc300").events == [.failed(.invalidText)])
    }

    @Test("Masked messages are expanded by a server")
    func masked() {
        let bytes = Wire.frame(0xC1, Data(hex: "f248cdc9c90700"), mask: Data(hex: "37fa213d"))
        #expect(Outcome(bytes, role: .server, compression: .init()).events == [.message("Hello")])
    }

    @Test("A message that expands beyond the limit fails with 1009, however small it is on the wire (§8)")
    func bomb() {
        var sender = machine(.server, .init(minBytes: 1))
        _ = sender.send(.data(Data(count: 1 << 20)))
        let bytes = sender.takeOutput() ?? Data()
        #expect(bytes.count < 4096)
        func events(limit: Int) -> [WebSocketEvent] {
            Outcome(bytes, limits: .init(messageBytes: limit), compression: .init()).events
        }
        #expect(events(limit: (1 << 20) - 1) == [.failed(.tooLarge(limit: (1 << 20) - 1))])
        #expect(events(limit: 100) == [.failed(.tooLarge(limit: 100))])
        #expect(events(limit: 1 << 20) == [.message(.data(Data(count: 1 << 20)))])
        // The limit is not that of the compressed size, which can be larger than the content.
        #expect(outcome("c10b 000500faff48656c6c6f00", limits: .init(messageBytes: 5)).events == [.message("Hello")])
    }

    @Test("Messages are compressed from the minimum size on, with the context of earlier ones unless it is not kept")
    func sending() {
        let text = String(repeating: "a sentence that repeats itself. ", count: 8)
        func sizes(_ compression: PermessageDeflate, _ role: WebSocketRole) -> [Int] {
            var sender = machine(role, compression)
            return (0..<2).map { _ in
                _ = sender.send(.text(text))
                return sender.takeOutput()?.count ?? 0
            }
        }
        for role in [WebSocketRole.client, .server] {
            let kept = sizes(.init(), role), forgotten = sizes(MessageCompressionTests.forgetful, role)
            #expect(kept[0] < 80 && kept[1] < kept[0] / 2)
            #expect(forgotten[0] == forgotten[1] && forgotten[0] == kept[0])
        }
        var sender = machine(.server, .init(minBytes: 10))
        _ = sender.send("123456789")
        _ = sender.send(.text(""))
        #expect(sender.takeOutput() == Wire.frame(0x81, "123456789") + Wire.frame(0x81))
        _ = sender.send("1234567890")
        #expect(sender.takeOutput()?.first == 0xC1)
        // zlib cannot compress with a window of 256 bytes.
        var tiny = machine(.server, .init(server: .init(windowBits: 8), minBytes: 1))
        _ = tiny.send("1234567890")
        #expect(tiny.takeOutput() == Wire.frame(0x81, "1234567890"))
    }

    @Test("Only the first of a compressed message's frames has RSV1")
    func sentFragments() {
        var sender = machine(.server, .init(minBytes: 1))
        _ = sender.send("Hello", fragmentBytes: 3)
        #expect(sender.takeOutput() == Data(hex: "4103f248cd 0003c9c907 800100"))
    }

    @Test("Both sides exchange messages with every window and context")
    func bothSides() {
        let words = (0..<4000).map { "\($0 * 7919 % 1009)" }.joined(separator: " ")
        let messages: [WebSocketMessage] = [.text(words), "x", .data(Data(words.utf8)), .text(words + words), .text("")]
        for bits in 8...15 {
            for keepsContext in [true, false] {
                let direction = PermessageDeflate.Direction(keepsContext: keepsContext, windowBits: bits)
                let compression = PermessageDeflate(client: direction, server: direction, minBytes: 1)
                var client = machine(.client, compression), server = machine(.server, compression)
                var received: [WebSocketEvent] = []
                for message in messages + messages {
                    _ = client.send(message)
                    server.receive(client.takeOutput() ?? Data())
                    while let event = server.next() {
                        if case .message(let message) = event { _ = server.send(message, fragmentBytes: 100) }
                    }
                    client.receive(server.takeOutput() ?? Data())
                    while let event = client.next() { received.append(event) }
                }
                #expect(received == (messages + messages).map { .message($0) }, "2^\(bits), \(keepsContext)")
            }
        }
    }
}
