import Foundation

// Types with an `init(from:)` of their own, for the comparison with Foundation's decoder.

class AnimalSample: Decodable {
    let animalName: String

    private enum Keys: String, CodingKey { case animalName }

    required init(from decoder: any Decoder) throws {
        animalName = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .animalName)
    }
}

final class DogSample: AnimalSample, ComparedType {
    let age: Int
    let parent: AnimalSample?

    private enum Keys: String, CodingKey { case age, parent }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        age = try container.decode(Int.self, forKey: .age)
        let parentDecoder = try container.superDecoder(forKey: .parent)
        parent = try parentDecoder.singleValueContainer().decodeNil() ? nil : AnimalSample(from: parentDecoder)
        try super.init(from: container.superDecoder())
    }

    static func == (one: DogSample, other: DogSample) -> Bool {
        one.age == other.age && one.animalName == other.animalName && one.parent?.animalName == other.parent?.animalName
    }

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["age": 3, "parent": random.pick([nil, ["animalName": "p"]]), "super": ["animalName": "Rex"]]
    }
}

/// A subclass that shares the decoder of its superclass.
final class FlatDogSample: AnimalSample, ComparedType {
    let breed: String?

    private enum Keys: String, CodingKey { case breed }

    required init(from decoder: any Decoder) throws {
        breed = try decoder.container(keyedBy: Keys.self).decodeIfPresent(String.self, forKey: .breed)
        try super.init(from: decoder)
    }

    static func == (one: FlatDogSample, other: FlatDogSample) -> Bool { one.breed == other.breed && one.animalName == other.animalName }

    static func document(_ random: inout SeededGenerator) -> SampleValue { ["animalName": "Rex", "breed": "pug"] }
}

struct NestedContainerSample: ComparedType {
    let values: [String]

    private enum Keys: String, CodingKey { case outer, middle, innerList, leaf, missing }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .outer)
        let middle = try outer.nestedContainer(keyedBy: Keys.self, forKey: .middle)
        var list = try middle.nestedUnkeyedContainer(forKey: .innerList)
        var values = [try middle.decode(String.self, forKey: .leaf), "\(middle.contains(.missing))"]
        while !list.isAtEnd {
            if var inner = try? list.nestedUnkeyedContainer() {
                values.append("\(inner.codingPath.map(\.stringValue))\(try inner.decode(Int.self))")
            } else {
                let inner = try list.nestedContainer(keyedBy: Keys.self)
                values.append("\(inner.codingPath.map(\.stringValue))\(try inner.decodeNil(forKey: .leaf))")
            }
        }
        self.values = values
    }

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["outer": ["middle": ["leaf": "x", "innerList": [[1], ["leaf": nil], [2, 3], ["leaf": 1]]]]]
    }
}

struct UnkeyedSample: ComparedType {
    var log: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        log.append("\(container.count ?? -1)")
        let first = try container.decodeNil() ? nil : try container.decode(Int.self)
        log.append("\(first as Any) \(container.currentIndex) \(container.isAtEnd)")
        log.append("\(try container.decodeIfPresent(String.self) as Any) \(container.currentIndex)")
        log.append("\(try container.decode(UInt8.self)) \(try container.decode(Bool.self)) \(try container.decode(Double.self))")
        log.append("\(try container.decode([String].self)) \(try container.decodeNil()) \(container.currentIndex)")
        let inner = try container.superDecoder()
        log.append("\(inner.codingPath.map(\.stringValue)) \(try [String: Int](from: inner).sorted { $0.key < $1.key })")
        log.append("\(try container.decode(Float.self)) \(try container.decode(Int64.self)) \(container.isAtEnd)")
        // At the end, decoding throws and does not move.
        if (try? container.decode(Int.self)) == nil { log.append("\(container.currentIndex)") }
        log.append("\(container.codingPath.map { $0.intValue ?? -1 })")
        if try container.decodeNil() { log.append("null") }
    }

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        [random.pick([1, nil]), random.pick(["a", nil]), 255, true, 1.5, ["x"], nil, ["a": 1], 0.5, 7, nil]
    }
}

/// An array whose elements are tried as one type after another.
struct TryingSample: ComparedType {
    enum Either: Decodable, Equatable {
        case int(Int), double(Double), text(String), list([Either]), object([String: Either]), null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Either].self) {
                self = .list(value)
            } else {
                self = .object(try container.decode([String: Either].self))
            }
        }
    }

    let values: [Either]

    static var hasUnorderedErrors: Bool { true }
    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["values": [1, 1.5, "x", [1, ["a": nil]], ["b": ["c": 2]], nil, random.pick([true, .number("1e400"), 7])]]
    }
}

struct AllKeysSample: ComparedType {
    let names: [String], values: [String: String], contained: [Bool]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SampleKey.self)
        names = container.allKeys.map(\.stringValue).sorted()
        var values: [String: String] = [:]
        for key in container.allKeys { values[key.stringValue] = (try? container.decode(String.self, forKey: key)) ?? "other" }
        self.values = values
        contained = ["a", "bB", "none", ""].map { container.contains(SampleKey(stringValue: $0)) }
    }

    static func document(_ random: inout SeededGenerator) -> SampleValue { ["a": "x", "bB": 1, "": "empty", "d": [["e": 1]]] }
}

/// A type that keeps the paths and user information that it was decoded with.
struct PathSample: ComparedType {
    struct Item: Decodable, Equatable {
        let decoderPath: [String], containerPath: [String], info: String?

        init(from decoder: any Decoder) throws {
            decoderPath = decoder.codingPath.map(\.stringValue)
            info = decoder.userInfo[.sample] as? String
            guard let container = try? decoder.container(keyedBy: SampleKey.self) else {
                containerPath = try decoder.singleValueContainer().codingPath.map(\.stringValue)
                return
            }
            containerPath = container.codingPath.map(\.stringValue)
        }
    }

    let oneItem: Item, manyItems: [Item], byName: [String: Item], optional: Item?

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["oneItem": [:], "manyItems": [["a": 1], 1, [:]], "byName": ["aName": [:], "b": 2], "optional": random.pick([[:], nil])]
    }
}

struct WrapperSample: ComparedType {
    struct Name: RawRepresentable, Decodable, Equatable { let rawValue: String }
    struct Identifier: Decodable, Equatable, Hashable {
        let value: UInt32

        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(UInt32.self) }
    }

    let name: Name, identifiers: [Identifier], optional: Identifier?, range: Range<Int>, maybe: Name?

    static func document(_ random: inout SeededGenerator) -> SampleValue {
        ["name": "n", "identifiers": [1, .number("4294967295")], "optional": random.pick([1, nil]), "range": [1, 5], "maybe": nil]
    }
}
