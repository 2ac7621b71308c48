import Foundation
import MartletHTTP
import Testing

@testable import MartletWebSocketProtocol

/// Tests a connection as a whole: messages in fragments, control frames and the closing handshake (RFC 6455 §5.4, §5.5 and §7).
@Suite(.timeLimit(.minutes(5)))
struct WebSocketConnectionMachineTests {
    private func machine(_ role: WebSocketRole = .client, random: UInt64 = 0) -> WebSocketConnectionMachine {
        WebSocketConnectionMachine(role: role, random: FixedRandom(number: random))
    }

    @Test("Messages in fragments are assembled, with control frames between them delivered at once (§5.4)")
    func fragments() {
        let bytes =
            Wire.frame(0x01, "Hel") + Wire.frame(0x89, "1") + Wire.frame(0x00, "") + Wire.frame(0x8A, "2") + Wire.frame(0x80, "lo")
            + Wire.frame(0x02, "ab") + Wire.frame(0x80, "c")
        let outcome = Outcome(bytes)
        #expect(
            outcome.events == [
                .ping(Data("1".utf8)), .pong(Data("2".utf8)), .message(.text("Hello")), .message(.data(Data("abc".utf8))),
            ])
        #expect(outcome.replies == [.pong(Data("1".utf8))])
    }

    @Test("Characters may be divided between fragments (§5.6), and empty messages are messages")
    func dividedCharacters() {
        let text = "κόσμε 🐦"
        let bytes = Data(text.utf8).enumerated().map { Wire.frame($0 == 0 ? 0x01 : 0x00, Data([$1])) }.reduce(Data(), +)
        #expect(Outcome(bytes + Wire.frame(0x80)).events == [.message(.text(text))])
        #expect(Outcome(Wire.frame(0x81) + Wire.frame(0x82)).events == [.message(.text("")), .message(.data(Data()))])
        #expect(Outcome(Wire.frame(0x01) + Wire.frame(0x80)).events == [.message(.text(""))])
        // Binary data is not checked.
        #expect(Outcome(Wire.frame(0x82, Data([0xFF]))).events == [.message(.data(Data([0xFF])))])
    }

    @Test("A pong has the payload of its ping, and only the latest of several pings has a pong (§5.5.3)")
    func pongs() {
        let last = Data(count: 125)
        let outcome = Outcome(Wire.frame(0x89, "1") + Wire.frame(0x89, "2") + Wire.frame(0x89, last))
        #expect(outcome.events.count == 3)
        #expect(outcome.replies == [.pong(last)])
    }

    @Test("A Close frame is echoed with its code, and nothing after it is delivered (§5.5.1)")
    func echo() {
        let bytes = Wire.close(4001, "é") + Wire.frame(0x81, "late") + Wire.frame(0x89)
        let outcome = Outcome(bytes)
        #expect(outcome.events == [.close(4001, reason: "é")])
        #expect(outcome.replies == [.close(4001, reason: "")])
        let empty = Outcome(Wire.frame(0x88))
        #expect(empty.events == [.close(nil, reason: "")] && empty.replies == [.close(nil, reason: "")])
        // A ping before the Close frame has its pong before the echo.
        #expect(Outcome(Wire.frame(0x89) + Wire.close(1000)).replies == [.pong(Data()), .close(1000, reason: "")])
    }

    @Test("After its own Close frame, a connection sends nothing, and delivers messages until that of the peer (§7.1.2)")
    func ownClose() throws {
        var machine = machine(.server)
        machine.close(code: .goingAway, reason: "bye")
        #expect(machine.takeOutput() == Wire.close(1001, "bye"))
        #expect(machine.hasSentClose && !machine.isOver)
        let isSent = machine.send(.text("x"))
        let isPinged = machine.ping()
        let isPonged = machine.pong()
        #expect(!isSent && !isPinged && !isPonged)
        machine.close(code: .normalClosure)
        let mask = Data(hex: "00000000")
        machine.receive(Wire.frame(0x81, "last", mask: mask) + Wire.frame(0x89, mask: mask) + Wire.frame(0x88, mask: mask))
        #expect(machine.next() == .message(.text("last")))
        #expect(machine.next() == .ping(Data()))
        #expect(machine.next() == .close(nil, reason: ""))
        #expect(machine.next() == nil && machine.takeOutput() == nil && machine.isOver)
    }

    @Test(
        "Codes are accepted and sent only if they may be in a Close frame (§7.4)",
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false), (1007, true), (1011, true),
            (1012, true), (1014, true), (1015, false), (1016, false), (2999, false), (3000, true), (3999, true), (4000, true),
            (4999, true), (5000, false), (65535, false),
        ])
    func codes(code: UInt16, maySend: Bool) {
        let value = WebSocketCloseCode(rawValue: code)
        #expect(value.maySend == maySend)
        #expect(Outcome(Wire.close(code)).events == [maySend ? .close(value, reason: "") : .failed(.invalidCloseCode(code))])
        var machine = machine(.server)
        machine.close(code: value, reason: "r")
        #expect(machine.takeOutput() == (maySend ? Wire.close(code, "r") : Wire.frame(0x88)))
    }

    @Test("A reason is cut to 123 bytes between characters (§5.5)")
    func longReason() {
        var machine = machine(.server)
        machine.close(code: .normalClosure, reason: String(repeating: "é", count: 100))
        #expect(machine.takeOutput() == Wire.close(1000, String(repeating: "é", count: 61)))
    }

    @Test("A violation after the own Close frame needs no other one, and the connection is over")
    func violationWhileClosing() {
        var machine = machine()
        machine.close(code: .normalClosure)
        _ = machine.takeOutput()
        machine.receive(Data(hex: "ff00"))
        #expect(machine.next() == .failed(.reservedBits))
        #expect(machine.takeOutput() == nil && machine.hasFailed && machine.isOver && !machine.hasReceivedClose)
    }

    @Test("Frames and messages above their limits fail with 1009 as soon as their lengths are known (§7.4.1, §10.4)")
    func limits() {
        let limits = WebSocketLimits(frameBytes: 8, messageBytes: 10)
        #expect(Outcome(Wire.frame(0x82, Data(count: 8)), limits: limits).events == [.message(.data(Data(count: 8)))])
        let outcome = Outcome(Data(hex: "8209"), limits: limits)
        #expect(outcome.events == [.failed(.tooLarge(limit: 8))])
        #expect(outcome.replies == [.close(.messageTooBig, reason: "a message is larger than 8 bytes")])
        let fitting = Wire.frame(0x02, Data(count: 8)) + Wire.frame(0x80, Data(count: 2))
        #expect(Outcome(fitting, limits: limits).events == [.message(.data(Data(count: 10)))])
        #expect(Outcome(Wire.frame(0x02, Data(count: 8)) + Data(hex: "0003"), limits: limits).events == [.failed(.tooLarge(limit: 10))])
        #expect(Outcome(Data(hex: "8203"), limits: .init(messageBytes: 2)).events == [.failed(.tooLarge(limit: 2))])
        #expect(Outcome(Data(hex: "827f7fffffffffffffff"), limits: .init(frameBytes: .max)).events == [.failed(.tooLarge(limit: 16 << 20))])
        // Fragments whose lengths overflow.
        let huge = WebSocketLimits(frameBytes: .max, messageBytes: .max)
        #expect(Outcome(Data(hex: "02 01 61 807f7fffffffffffffff"), limits: huge).events == [.failed(.tooLarge(limit: .max))])
        // Control frames have a limit of their own.
        #expect(Outcome(Wire.frame(0x89, Data(count: 125)), limits: limits).events == [.ping(Data(count: 125))])
        #expect(Outcome(Wire.frame(0x82) + Data(hex: "8201"), limits: .init(frameBytes: -1)).events.last == .failed(.tooLarge(limit: 0)))
    }

    @Test("Memory is not reserved for bytes that have not arrived")
    func claimedLength() {
        var machine = WebSocketConnectionMachine(role: .client, limits: .init(frameBytes: .max, messageBytes: .max))
        // 2^62 bytes are announced.
        machine.receive(Data(hex: "827f4000000000000000 61"))
        #expect(machine.next() == nil && !machine.isReceivingOver)
    }

    @Test("Messages are sent whole or in fragments, masked by clients with a key of its own for each frame (§5.3, §5.4)")
    func sending() {
        var server = machine(.server)
        _ = server.send(.text("Hello"))
        _ = server.send(.data(Data([1, 2])), fragmentBytes: 1)
        _ = server.send(.text(""), fragmentBytes: 1)
        _ = server.ping(Data(count: 200))
        _ = server.pong(Data([7]))
        let whole = Wire.frame(0x81, "Hello") + Wire.frame(0x02, Data([1])) + Wire.frame(0x80, Data([2])) + Wire.frame(0x81)
        #expect(server.outputBytes == (whole + Wire.frame(0x89, Data(count: 125)) + Wire.frame(0x8A, Data([7]))).count)
        #expect(server.takeOutput() == whole + Wire.frame(0x89, Data(count: 125)) + Wire.frame(0x8A, Data([7])))
        #expect(server.takeOutput() == nil && server.outputBytes == 0)

        var client = machine(random: 0x0807_0605_0403_0201)
        for text in ["abc", "def", "ghi"] { _ = client.send(.text(text)) }
        let first = Data(hex: "01020304"), second = Data(hex: "05060708")
        #expect(
            client.takeOutput() == Wire.frame(0x81, "abc", mask: first) + Wire.frame(0x81, "def", mask: second)
                + Wire.frame(0x81, "ghi", mask: first))
    }

    @Test("A client and a server that pass each other's output on exchange every message, in pieces of any size")
    func bothSides() {
        let messages: [WebSocketMessage] = [
            "", "a", .data(Data(count: 70_000)), .text(String(repeating: "ü", count: 300)), .data(Data([0])),
        ]
        for size in [1, 7, 4096, .max] {
            var client = machine(random: 0x9E37_79B9_7F4A_7C15), server = machine(.server)
            for (index, message) in messages.enumerated() { _ = client.send(message, fragmentBytes: index + 20) }
            client.close(code: .normalClosure, reason: "done")
            var received: [WebSocketEvent] = []
            var rest = client.takeOutput() ?? Data()
            while !rest.isEmpty {
                server.receive(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let event = server.next() {
                    received.append(event)
                    if case .message(let message) = event { _ = server.send(message) }
                }
            }
            #expect(received == messages.map { .message($0) } + [.close(.normalClosure, reason: "done")])
            client.receive(server.takeOutput() ?? Data())
            var echoed: [WebSocketEvent] = []
            while let event = client.next() { echoed.append(event) }
            #expect(echoed == messages.map { .message($0) } + [.close(.normalClosure, reason: "")])
            #expect(client.isOver && server.isOver)
        }
    }
}
