import Foundation
import MartletTesting
import Testing

@testable import MartletTransfers

@Suite(.timeLimit(.minutes(5))) struct EventStreamPropertyTests {
    /// Returns a stream of meaningful and meaningless pieces.
    private static func stream(_ generator: inout SeededGenerator) -> [UInt8] {
        let words: [[UInt8]] =
            [
                "data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n", "x", "1234", "é€😀", "\0",
                "data:a",
                "data: b\n\n", "id:7\n", "event: t\r", ":c\n", "datadata",
            ].map { [UInt8]($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xEF], [0xFF], [0xE2, 0x82], [0xF0, 0x9F]]
        let count = Int.random(in: 0..<60, using: &generator)
        return (0..<count).flatMap { _ in words.randomElement(using: &generator) ?? [] }
    }

    /// The standard's own algorithm, applied literally to the whole stream.
    private static func plain(_ bytes: [UInt8]) -> [EventStreamParser.Item] {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines: [[Unicode.Scalar]] = [], line: [Unicode.Scalar] = [], index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "\r" || scalar == "\n" {
                if scalar == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
                lines.append(line)
                line = []
            } else {
                line.append(scalar)
            }
            index += 1
        }
        func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
            scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
        }
        var items: [EventStreamParser.Item] = [], data = "", type = "", id = "", retry: Duration?
        for line in lines {
            if line.isEmpty {
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    items.append(.event(ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: id, retry: retry)))
                }
                (data, type, retry) = ("", "", nil)
                continue
            }
            let colon = line.firstIndex(of: ":") ?? line.count
            var value = Array(line.dropFirst(colon + 1))
            if value.first == " " { value.removeFirst() }
            switch text(line[..<colon]) {
            case "": items.append(.comment(text(value)))
            case "data": data += text(value) + "\n"
            case "event": type = text(value)
            case "id": if !value.contains("\0") { id = text(value) }
            case "retry":
                if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
                    retry = .milliseconds(Int64(text(value)) ?? .max)
                }
            default: break
            }
        }
        return items
    }

    @Test("A stream returns the events of the standard's algorithm, wherever it is split", arguments: 0..<20)
    func cuts(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            // Other tests wait for real time and need their turn.
            await Task.yield()
            let bytes = EventStreamPropertyTests.stream(&generator)
            let expected = EventStreamPropertyTests.plain(bytes)
            for longest in [bytes.count + 1, 1, 2, 3, 9] {
                var parser = EventStreamParser(keepsComments: true)
                var items: [EventStreamParser.Item] = []
                var rest = bytes[...]
                while !rest.isEmpty {
                    let size = longest > bytes.count ? longest : Int.random(in: 1...longest, using: &generator)
                    items += try parser.feed(rest.prefix(size))
                    rest = rest.dropFirst(size)
                }
                #expect(items == expected, "\(bytes) in pieces of up to \(longest)")
            }
        }
    }

    @Test("The first line end is found at every position")
    func lineEnds() {
        var generator = SeededGenerator(seed: 5)
        for length in 0..<40 {
            for place in 0...length {
                var bytes = (0..<length).map { _ in
                    let byte = UInt8.random(in: .min ... .max, using: &generator)
                    return byte == 10 || byte == 13 ? byte &+ 0x80 : byte
                }
                if place < length { bytes[place] = place.isMultiple(of: 2) ? 10 : 13 }
                for start in 0...length {
                    let expected = bytes.indices.first { $0 >= start && (bytes[$0] == 10 || bytes[$0] == 13) }
                    #expect(bytes.withUnsafeBufferPointer { LineEnd.first(in: $0, from: start) } == expected)
                }
            }
        }
    }
}
