import Foundation

@testable import Martlet
@testable import MartletJSON

/// Checks JSON: the decoder against Foundation's, values written and parsed again, and arrays read in pieces.
enum JSONChecks {
    private struct Sample: Codable, Equatable {
        var id: Int?, fullName: String?, scores: [Double]?, flags: [Bool]?, inner: [Sample]?, small: UInt8?, rate: Float?
    }

    /// Decodes the bytes as several types and compares the results with Foundation's.
    static func decoding(_ bytes: [UInt8]) {
        let json = Data(bytes)
        // Dictionaries compare names by Unicode's equivalence; this decoder compares their bytes.
        let isPlain = bytes.allSatisfy { $0 < 0x80 } && !bytes.contains(UInt8(ascii: "\\"))
        for usesSnakeCase in [false, true] {
            compare(Sample.self, json, usesSnakeCase)
            compare([Sample].self, json, usesSnakeCase)
        }
        compare([Double].self, json, false)
        compare([Int64].self, json, false)
        compare([String?].self, json, false)
        compare([Decimal].self, json, false)
        if isPlain {
            compare([String: Int].self, json, false)
            compare([String: [Bool?]].self, json, true)
            compare([Int: String].self, json, false)
        }
    }

    private static func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ json: Data, _ usesSnakeCase: Bool) {
        let reference = JSONDecoder()
        var decoder = JSONBodyDecoder()
        if usesSnakeCase {
            reference.keyDecodingStrategy = .convertFromSnakeCase
            decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        let expected: Value?
        do { expected = try reference.decode(type, from: json) } catch DecodingError.dataCorrupted {
            // Foundation rejects some valid documents, such as `0e5`.
            _ = try? decoder.decode(type, from: json)
            return
        } catch { expected = nil }
        do {
            let value = try decoder.decode(type, from: json)
            promise(value == expected, "\(type): decoded \(value), Foundation \(String(describing: expected))")
        } catch DecodingError.dataCorrupted {
            // Unlike Foundation, the decoder validates the whole document and does not round numbers: see the article JSON.md of
            // MartletJSON.
        } catch {
            promise(expected == nil, "\(type): failed with \(error), Foundation decodes \(String(describing: expected))")
        }
    }

    /// Parses, writes and parses again.
    static func values(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: Data(bytes)) else { return }
        let text = value.description
        let again = try? JSONValue(parsing: Data(text.utf8))
        promise(again == value && again?.hashValue == value.hashValue, "a written value parses as another value")
        promise(again?.description == text, "a parsed value is written differently")
        promise((try? JSONBodyEncoder().encode(value)) == Data(text.utf8), "the encoder's text differs from the description")
        if case .object(let members) = value {
            promise(members.allSatisfy { members[$0.key] == $0.value }, "a lookup by name misses a member")
        }
        if case .array(let elements) = value {
            promise(
                elements.indices.allSatisfy { elements[$0] == Array(elements)[$0] } || elements.count > 50,
                "a subscript returns another element than iteration")
        }
    }

    /// Reads the elements of an array in pieces whose size the first byte determines.
    static func elements(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let json = Data(bytes.dropFirst()), size = Int(first % 16) + 1
        var scanner = JSONElementScanner(maxElementBytes: 1 << 16), found: [Data] = [], isComplete = false
        do {
            for start in stride(from: 0, to: json.count, by: size) {
                scanner.append(json[(json.startIndex + start)..<min(json.startIndex + start + size, json.endIndex)])
                while let element = try scanner.next() { found.append(Data(element.bytes)) }
            }
            try scanner.finish()
            isComplete = true
        } catch {}
        guard let node = try? JSONNode(parsing: json), node.kind == .array else {
            promise(!isComplete, "the scanner accepted a document that is not an array")
            return
        }
        promise(
            isComplete && found == node.elements.map { json.dropFirst($0.range.lowerBound).prefix($0.range.count) },
            "the scanned elements differ from the parsed ones")
    }
}
