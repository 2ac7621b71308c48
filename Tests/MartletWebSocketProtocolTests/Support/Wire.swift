import Foundation
import MartletHTTP
import Testing

@testable import MartletWebSocketProtocol

/// Random numbers that are all the same. With 0, masked payloads are readable.
struct FixedRandom: RandomSource {
    var number: UInt64 = 0

    func next() -> UInt64 { number }
}

extension Data {
    /// Creates bytes from hexadecimal digits; spaces separate them at will.
    init(hex: String) {
        let digits = hex.filter { $0 != " " }
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
        self.init(pairs.map { UInt8($0, radix: 16)! })
    }

    /// The bytes as hexadecimal digits.
    var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// Frames as a test writes them, also those that violate RFC 6455.
enum Wire {
    /// Returns a frame. `first` is its first byte: FIN, RSV and opcode.
    static func frame(_ first: UInt8, _ payload: Data = Data(), mask: Data? = nil) -> Data {
        let masked: UInt8 = mask == nil ? 0 : 0x80
        var bytes = Data([first])
        switch payload.count {
        case ...125: bytes.append(masked | UInt8(payload.count))
        case ...0xFFFF: bytes.append(contentsOf: [masked | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)])
        default: bytes.append(contentsOf: [masked | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) })
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + Data(payload.enumerated().map { $1 ^ mask[$0 % 4] })
    }

    static func frame(_ first: UInt8, _ text: String, mask: Data? = nil) -> Data { frame(first, Data(text.utf8), mask: mask) }

    /// Returns a Close frame.
    static func close(_ code: UInt16, _ reason: String = "") -> Data {
        frame(0x88, Data([UInt8(code >> 8), UInt8(code & 0xFF)]) + Data(reason.utf8))
    }
}

/// What a connection reports and writes for bytes that arrive.
struct Outcome: Equatable {
    var events: [WebSocketEvent] = []
    var output = Data()

    /// Passes bytes to a new connection, and checks that the outcome does not depend on how they are divided.
    init(
        _ bytes: Data, role: WebSocketRole = .client, limits: WebSocketLimits = .init(), compression: PermessageDeflate? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let whole = Outcome(bytes, pieces: bytes.count, role, limits, compression)
        for size in [1, 2, 3, 5, 8, 64] where size < bytes.count && bytes.count < 4096 {
            #expect(
                Outcome(bytes, pieces: size, role, limits, compression) == whole, "in pieces of \(size)", sourceLocation: sourceLocation)
        }
        self = whole
    }

    private init(
        _ bytes: Data, pieces size: Int, _ role: WebSocketRole, _ limits: WebSocketLimits, _ compression: PermessageDeflate?
    ) {
        var machine = WebSocketConnectionMachine(role: role, limits: limits, compression: compression, random: FixedRandom())
        var rest = bytes
        while !rest.isEmpty {
            machine.receive(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let event = machine.next() { events.append(event) }
        }
        output = machine.takeOutput() ?? Data()
    }

    /// The frames of the output of a client without their masks, as a server receives them.
    var replies: [WebSocketEvent] { Outcome(output, role: .server).events }
}
