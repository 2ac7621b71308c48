import Foundation
import MartletHTTP
import Testing

@testable import MartletWebSocketProtocol

/// Tests frames as bytes (RFC 6455 §5).
@Suite(.timeLimit(.minutes(5)))
struct WebSocketFrameTests {
    private func written(_ head: WebSocketFrameHead, _ payload: Data) -> Data {
        var bytes = Data()
        payload.withUnsafeBytes { bytes.append(head, payload: $0) }
        return bytes
    }

    @Test("Frames have the bytes of the examples of RFC 6455 §5.7")
    func examples() {
        let hello = Data("Hello".utf8)
        let mask = WebSocketMask(0x3D21_FA37)
        #expect(written(.init(.text, length: 5), hello).hex == "810548656c6c6f")
        #expect(written(.init(.text, length: 5, mask: mask), hello).hex == "818537fa213d7f9f4d5158")
        #expect(written(.init(.text, length: 3, isFinal: false), Data("Hel".utf8)).hex == "010348656c")
        #expect(written(.init(.continuation, length: 2), Data("lo".utf8)).hex == "80026c6f")
        #expect(written(.init(.ping, length: 5), hello).hex == "890548656c6c6f")
        #expect(written(.init(.pong, length: 5, mask: mask), hello).hex == "8a8537fa213d7f9f4d5158")
        #expect(written(.init(.binary, length: 256), Data(count: 256)).prefix(4).hex == "827e0100")
        #expect(written(.init(.binary, length: 65536), Data(count: 65536)).prefix(10).hex == "827f0000000000010000")
        #expect(written(.init(.text, length: 1, isCompressed: true), Data([0])).hex == "c10100")
    }

    @Test("The examples of RFC 6455 §5.7 are read as their messages")
    func readExamples() {
        #expect(Outcome(Data(hex: "810548656c6c6f")).events == [.message(.text("Hello"))])
        #expect(Outcome(Data(hex: "818537fa213d7f9f4d5158"), role: .server).events == [.message(.text("Hello"))])
        #expect(Outcome(Data(hex: "010348656c 80026c6f")).events == [.message(.text("Hello"))])
        #expect(Outcome(Data(hex: "890548656c6c6f")).events == [.ping(Data("Hello".utf8))])
        #expect(Outcome(Data(hex: "8a8537fa213d7f9f4d5158"), role: .server).events == [.pong(Data("Hello".utf8))])
    }

    @Test(
        "Lengths at each limit of their encodings are written as short as possible and read back (§5.2)",
        arguments: [
            (0, "8200"), (1, "8201"), (125, "827d"), (126, "827e007e"), (127, "827e007f"), (0xFFFF, "827effff"),
            (0x10000, "827f0000000000010000"),
        ])
    func lengths(count: Int, head: String) {
        let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let bytes = written(.init(.binary, length: count), content)
        #expect(bytes == Data(hex: head) + content)
        #expect(Outcome(bytes).events == [.message(.data(content))])
        let masked = written(.init(.binary, length: count, mask: WebSocketMask(0x0102_FFAB)), content)
        #expect(masked == Wire.frame(0x82, content, mask: Data(hex: "abff0201")))
        #expect(Outcome(masked, role: .server).events == [.message(.data(content))])
    }

    @Test("A mask applies to each byte by its position, whatever the length, the alignment and the offset (§5.3)")
    func masks() {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        for offset in 0..<9 {
            for count in 0..<35 {
                var bytes = (0..<count + 1).map { UInt8($0) }
                let expected = bytes.enumerated().map { $0 == 0 ? $1 : $1 ^ key[($0 - 1 + offset) % 4] }
                bytes.withUnsafeMutableBytes { bytes in
                    WebSocketMask(0x3D21_FA37).apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[1...]), offset: offset)
                }
                #expect(bytes == expected, "\(count) bytes at \(offset)")
            }
        }
    }

    /// Bytes that violate the RFC, the violation and the code of the Close frame. They arrive at a client unless a mask is needed.
    private static let violations: [(section: String, hex: String, WebSocketRole, WebSocketViolation, UInt16)] = [
        ("§5.2 RSV1 without an extension", "c100", .client, .reservedBits, 1002),
        ("§5.2 RSV2", "a100", .client, .reservedBits, 1002),
        ("§5.2 RSV3", "9100", .client, .reservedBits, 1002),
        ("§5.2 RSV1 in a control frame", "c900", .client, .reservedBits, 1002),
        ("§5.2 opcode 3", "8300", .client, .reservedOpcode(3), 1002),
        ("§5.2 opcode 4", "8400", .client, .reservedOpcode(4), 1002),
        ("§5.2 opcode 5", "8500", .client, .reservedOpcode(5), 1002),
        ("§5.2 opcode 6", "8600", .client, .reservedOpcode(6), 1002),
        ("§5.2 opcode 7", "8700", .client, .reservedOpcode(7), 1002),
        ("§5.2 opcode 11", "8b00", .client, .reservedOpcode(11), 1002),
        ("§5.2 opcode 12", "8c00", .client, .reservedOpcode(12), 1002),
        ("§5.2 opcode 13", "8d00", .client, .reservedOpcode(13), 1002),
        ("§5.2 opcode 14", "8e00", .client, .reservedOpcode(14), 1002),
        ("§5.2 opcode 15", "8f00", .client, .reservedOpcode(15), 1002),
        ("§5.2 125 in two bytes", "827e007d", .client, .inflatedLength, 1002),
        ("§5.2 65,535 in eight bytes", "827f000000000000ffff", .client, .inflatedLength, 1002),
        ("§5.2 the most significant bit of a length", "827f8000000000000000", .client, .negativeLength, 1002),
        ("§5.1 a mask of the server", "818037fa213d", .client, .unexpectedMask, 1002),
        ("§5.1 no mask of the client", "8100", .server, .missingMask, 1002),
        ("§5.4 a continuation of nothing", "8000", .client, .unexpectedContinuation, 1002),
        ("§5.4 a continuation after a complete message", "010161 800162 800163", .client, .unexpectedContinuation, 1002),
        ("§5.4 a text within a text", "010161 810162", .client, .unfinishedMessage, 1002),
        ("§5.4 a binary message within a text", "010161 820162", .client, .unfinishedMessage, 1002),
        ("§5.5 a ping in fragments", "0900", .client, .fragmentedControlFrame, 1002),
        ("§5.5 a pong in fragments", "0a00", .client, .fragmentedControlFrame, 1002),
        ("§5.5 a Close frame in fragments", "0800", .client, .fragmentedControlFrame, 1002),
        ("§5.5 a ping of 126 bytes", "897e007e", .client, .largeControlFrame, 1002),
        ("§5.5 a Close frame with a length of eight bytes", "887f", .client, .largeControlFrame, 1002),
        ("§5.5.1 a Close frame of one byte", "880103", .client, .truncatedCloseCode, 1002),
        ("§7.4.1 code 1005", "880203ed", .client, .invalidCloseCode(1005), 1002),
        ("§8.1 a reason that is not UTF-8", "880303e8ff", .client, .invalidCloseReason, 1007),
        ("§8.1 a reason that ends within a character", "880403e8e282", .client, .invalidCloseReason, 1007),
        ("§8.1 a text that is not UTF-8", "8101ff", .client, .invalidText, 1007),
        ("§8.1 a text that ends within a character", "8102e282", .client, .invalidText, 1007),
        ("§8.1 fragments that end within a character", "0101e2 800182", .client, .invalidText, 1007),
        ("§8.1 a masked text that is not UTF-8", "8181 01020304 fe", .server, .invalidText, 1007),
    ]

    @Test("Each violation fails the connection with the code that the RFC names, and with it the rest is ignored")
    func eachViolation() {
        for (section, hex, role, violation, code) in WebSocketFrameTests.violations {
            let outcome = Outcome(Data(hex: hex) + Data(hex: "810161"), role: role)
            #expect(outcome.events.last == .failed(violation), "\(section)")
            #expect(outcome.events.dropLast().allSatisfy { if case .message = $0 { true } else { false } }, "\(section)")
            let replies = role == .client ? outcome.replies : Outcome(outcome.output).events
            #expect(replies == [.close(.init(rawValue: code), reason: violation.description)], "\(section)")
        }
    }

    @Test("A violation is found as soon as its bytes have arrived, within a frame and within a head")
    func failsFast() {
        // A text frame of 100 bytes, of which only the invalid beginning has arrived.
        #expect(Outcome(Data(hex: "816461ff")).events == [.failed(.invalidText)])
        #expect(Outcome(Data(hex: "8164e2ff")).events == [.failed(.invalidText)])
        // Heads whose lengths have not arrived.
        #expect(Outcome(Data(hex: "c27f")).events == [.failed(.reservedBits)])
        #expect(Outcome(Data(hex: "897f")).events == [.failed(.largeControlFrame)])
    }

    @Test("An incomplete head is remembered until the rest has arrived")
    func partialHead() throws {
        var decoder = WebSocketFrameDecoder(role: .client)
        let bytes = Data(hex: "827e01")
        let first = try bytes.withUnsafeBytes { bytes in
            var input = bytes
            return try decoder.next(from: &input)
        }
        #expect(first == nil && decoder.isWithinHead)
        let second = try Data(hex: "00aabb").withUnsafeBytes { bytes in
            var input = bytes
            return (try decoder.next(from: &input), input.count)
        }
        #expect(second.0 == WebSocketFrameHead(.binary, length: 256) && second.1 == 2 && !decoder.isWithinHead)
    }
}
