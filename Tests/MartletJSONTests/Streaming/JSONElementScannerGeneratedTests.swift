import Foundation
import MartletJSON
import Testing

/// A generator of JSON text.
private struct JSONTextGenerator {
    var random: SeededGenerator

    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    mutating func space() -> String { pick(["", "", "", " ", "\n", "\r\n\t", "          "]) }

    mutating func string() -> String {
        let parts = [
            "a", "bird", "long plain text ", "é", "€uro", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "]", "}", ",",
            ":",
        ]
        return "\"" + (0..<Int.random(in: 0..<6, using: &random)).map { _ in pick(parts) }.joined() + "\""
    }

    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 8), using: &random) {
        case 0: return pick(["true", "false", "null"])
        case 1: return pick(["0", "-0.5", "12", "1e3", "-12.25E-2", "1234567"])
        case 2, 3, 4: return string()
        case 5: return object(depth: depth, adding: [])
        default: return array((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth + 1) })
        }
    }

    mutating func array(_ elements: [String]) -> String {
        let padded = elements.map { space() + $0 + space() }
        return "[" + (padded.isEmpty ? space() : padded.joined(separator: ",")) + "]"
    }

    /// Returns an object of generated members and the added ones. The names of generated members are unique numbers.
    mutating func object(depth: Int, adding members: [(String, String)]) -> String {
        var all = (0..<Int.random(in: 0..<4, using: &random)).map { ("\"\($0)\"", value(depth: depth + 1)) } + members
        all.shuffle(using: &random)
        let padded = all.map { space() + $0.0 + space() + ":" + space() + $0.1 + space() }
        return "{" + (padded.isEmpty ? space() : padded.joined(separator: ",")) + "}"
    }

    mutating func chunks(of document: Data) -> [Data] {
        var chunks: [Data] = []
        var rest = document
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...pick([1, 5, 50]), using: &random))
            chunks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return chunks
    }
}

@Suite("Generated documents", .timeLimit(.minutes(5)))
struct JSONElementScannerGeneratedTests {
    private func canonical(_ value: Any) throws -> Data {
        try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
    }

    @Test("The scanner finds the elements that JSONSerialization finds in the whole document", arguments: 0..<200)
    func elements(seed: Int) throws {
        var generator = JSONTextGenerator(random: SeededGenerator(seed: UInt64(seed)))
        let elements = (0..<Int.random(in: 0..<12, using: &generator.random)).map { _ in generator.value(depth: 0) }
        var text = generator.array(elements)
        for name in ["\"items\"", "\"d\\u0061ta\""] { text = generator.object(depth: 0, adding: [(name, text)]) }
        let document = Data((generator.space() + text + generator.space()).utf8)

        let scanner = JSONElementScanner(keyPath: "data.items", maxElementBytes: 100_000)
        let result = ScanResult(generator.chunks(of: document), by: scanner)
        #expect(result.error == nil)
        #expect(result.texts == elements)
        #expect(result == ScanResult([document], by: scanner))

        let root = try #require(JSONSerialization.jsonObject(with: document) as? [String: Any])
        let data = try #require(root["data"] as? [String: Any])
        let scanned = try result.elements.map { try JSONSerialization.jsonObject(with: $0.bytes, options: .fragmentsAllowed) }
        #expect(try canonical(scanned) == canonical(#require(data["items"])))
    }

    @Test("A damaged document has the same result however it is split", arguments: 0..<300)
    func damage(seed: Int) throws {
        var generator = JSONTextGenerator(random: SeededGenerator(seed: UInt64(1000 + seed)))
        let elements = (0..<6).map { _ in generator.value(depth: 0) }
        var bytes = Array(generator.object(depth: 0, adding: [("\"items\"", generator.array(elements))]).utf8)
        for _ in 0..<Int.random(in: 1...2, using: &generator.random) {
            let place = Int.random(in: 0..<bytes.count, using: &generator.random)
            bytes[place] = generator.pick([UInt8.random(in: 0...255, using: &generator.random)] + Array("[]{},:\"\\0e. \n".utf8))
        }
        let document = Data(bytes)
        let scanner = JSONElementScanner(keyPath: "items", maxElementBytes: 40, maxDepth: 5)
        let whole = ScanResult([document], by: scanner)
        #expect(ScanResult(document.map { Data([$0]) }, by: scanner) == whole)
        #expect(ScanResult(generator.chunks(of: document), by: scanner) == whole)
        guard whole.error == nil else { return }
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: document) }
    }
}
