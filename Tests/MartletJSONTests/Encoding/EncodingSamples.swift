import Foundation

/// Random values for the encoding samples.
extension SeededGenerator {
    mutating func chance() -> Bool { Bool.random(using: &self) }

    mutating func double() -> Double {
        switch Int.random(in: 0...5, using: &self) {
        case 0: return Double(Int.random(in: -10_000...10_000, using: &self))
        case 1: return Double(Int.random(in: -10_000_000...10_000_000, using: &self)) / 1000
        case 2: return Double.random(in: -1...1, using: &self)
        case 3: return Double(sign: .plus, exponent: Int.random(in: -300...300, using: &self), significand: 1.5)
        case 4: return Double(Int64(bitPattern: next()))
        default:
            let value = Double(bitPattern: next())
            return value.isFinite ? value : 0
        }
    }

    mutating func text() -> String {
        let alphabet = Array("abcXYZ019 _-\"\\/\n\t\r\u{8}\u{C}\u{1}\u{1F}\u{7F}éß漢😀\u{2028}")
        return String((0..<Int.random(in: 0...24, using: &self)).map { _ in alphabet.randomElement(using: &self)! })
    }
}

/// An `Encodable` value that runs a closure.
struct Scripted: Encodable {
    let script: (any Encoder) throws -> Void

    init(_ script: @escaping (any Encoder) throws -> Void) { self.script = script }

    func encode(to encoder: any Encoder) throws { try script(encoder) }
}

/// A key with any text.
struct TextKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case box(Int, height: Int?)
    indirect case group([Shape], named: String)

    static func random(_ random: inout SeededGenerator, depth: Int = 3) -> Shape {
        switch Int.random(in: 0...(depth > 0 ? 3 : 2), using: &random) {
        case 0: .point
        case 1: .circle(radius: random.double())
        case 2: .box(Int.random(in: -9...9, using: &random), height: random.chance() ? 1 : nil)
        default: .group((0..<3).map { _ in .random(&random, depth: depth - 1) }, named: random.text())
        }
    }
}

enum Color: String, Codable, CodingKeyRepresentable { case red, green, darkBlue }

struct Sample: Codable, Equatable {
    var zebraCount: Int
    var aValue: Double
    var myURLProperty: URL?
    var someText: String
    var someFloat: Float
    var isOn: Bool?
    var small: Int8
    var large: UInt64
    var bytes: Data
    var when: Date
    var amount: Decimal
    var tags: [String]
    var numbers: [Double?]
    var counts: [String: Int]
    var nested: [String: [Shape]]
    var byNumber: [Int: Bool]
    var byColor: [Color: [Int]]
    var shape: Shape
    var child: [Sample]
    var identifier: UUID
    var range: Range<Int>
    var maybe: [Int??]
    var color: Color
    var words: Set<String>

    static func random(_ random: inout SeededGenerator, depth: Int = 2) -> Sample {
        let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let text = random.text()
        return Sample(
            zebraCount: Int(truncatingIfNeeded: random.next()), aValue: random.double(),
            myURLProperty: random.chance() ? URL(string: "https://example.com/a/b?q=\(random.next())") : nil, someText: text,
            someFloat: Float(Int.random(in: -999...999, using: &random)) / 7, isOn: random.chance() ? true : nil,
            small: Int8(truncatingIfNeeded: random.next()), large: random.next(),
            bytes: Data(bytes.prefix(Int.random(in: 0...16, using: &random))),
            when: Date(timeIntervalSince1970: Double(Int.random(in: -11_000_000_000...250_000_000_000, using: &random)) + 0.25),
            amount: Decimal(Int.random(in: 0...1_000_000, using: &random)) / 100, tags: (0..<3).map { _ in random.text() },
            numbers: [random.double(), nil], counts: [random.text(): 1, "b_B": 2, "aA": 3],
            nested: [random.text(): [Shape.random(&random)], "camelCase": []], byNumber: [10: true, 9: false],
            byColor: [.darkBlue: [1], .red: []], shape: .random(&random),
            child: depth > 0 ? (0..<2).map { _ in Sample.random(&random, depth: depth - 1) } : [],
            identifier: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, range: 1..<5, maybe: [1, nil, .some(nil)],
            color: .darkBlue, words: [text])
    }
}

/// The surroundings of the first byte that differs, or `nil` if the data are equal.
func difference(_ left: Data, _ right: Data) -> String? {
    guard left != right else { return nil }
    let start = max(zip(left, right).prefix { $0 == $1 }.count - 60, 0)
    return [left, right].map { String(decoding: $0.dropFirst(start).prefix(120), as: UTF8.self) }.joined(separator: " != ")
}
