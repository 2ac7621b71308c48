import Foundation

@testable import MartletJSON

/// A type that reads itself as generated code does, with members of each kind.
struct ReadSample: JSONReadable, Equatable {
    enum Size: String, JSONReadable { case small, large }
    enum Level: Int, JSONReadable { case low = 1, high }
    struct Inner: Equatable { let name: String, ratio: Float? }
    struct Part: Equatable { let name: String, level: Level? }

    let id: Int, name: String, size: Size, flags: [Bool], inner: Inner, weight: Double?, small: Int32?, when: Date?, link: URL?
    let others: [ReadSample]?, names: [String: Int]?, status: OpenEnum<Size>?, part: Part, firstBorn: Date

    init(json: inout JSONReader) throws {
        id = try json["id"]
        name = try json["name"]
        size = try json["size"]
        flags = try json["flags"]
        inner = try json["inner"]
        weight = try json["weight"]
        small = try json["small"]
        when = try json.decodeIfPresent("when")
        link = try json.decodeIfPresent("link")
        others = try json["others"]
        names = try json["names"]
        status = try json["status"]
        part = try json.value()
        firstBorn = try json.decode("firstBorn")
    }

    static func document(_ random: inout SeededGenerator, depth: Int = 2) -> SampleValue {
        let others = (0..<(depth == 0 ? 0 : random.below(3))).map { _ in document(&random, depth: depth - 1) }
        return [
            "id": .number(random.pick(["0", "-7", "1.0", "1e3", "9223372036854775807"])), "name": .string(random.pick(SampleValue.strings)),
            "size": random.pick(["small", "large"]), "flags": random.pick([[], [true, false, true]]),
            "inner": ["name": "n", "ratio": random.pick([nil, 0.5])], "weight": random.pick([nil, 2.25, -1]),
            "small": random.pick([nil, 12]), "when": random.pick([nil, "2026-03-01T10:00:00Z"]),
            "link": random.pick([nil, "https://a.example/x?y=%20"]), "others": random.pick([nil, .array(others)]),
            "names": random.pick([nil, ["a": 1], [:]]), "status": random.pick([nil, "small", "huge"]), "level": random.pick([nil, 1, 2]),
            "firstBorn": "2026-03-01T10:00:00Z", "unknown": random.pick([1, "x", [[:], nil, [true]], ["id": 2, "x": ["y": []]]]),
        ]
    }
}

extension ReadSample.Inner: JSONReadable {
    init(json: inout JSONReader) throws { try self.init(name: json["name"], ratio: json["ratio"]) }
}

extension ReadSample.Part: JSONReadable {
    // In another order than the document.
    init(json: inout JSONReader) throws {
        let level: ReadSample.Level? = try json["level"]
        try self.init(name: json["name"], level: level)
    }
}

/// The same type as the compiler decodes it.
struct DecodedSample: Decodable {
    enum Size: String, Decodable { case small, large }
    enum Level: Int, Decodable { case low = 1, high }
    struct Inner: Decodable { let name: String, ratio: Float? }
    struct Part: Decodable { let level: Level?, name: String }

    let id: Int, name: String, size: Size, flags: [Bool], inner: Inner, weight: Double?, small: Int32?, when: Date?, link: URL?
    let others: [DecodedSample]?, names: [String: Int]?, status: OpenEnum<Size>?, part: Part, firstBorn: Date

    private enum CodingKeys: CodingKey {
        case id, name, size, flags, inner, weight, small, when, link, others, names, status, firstBorn
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        size = try container.decode(Size.self, forKey: .size)
        flags = try container.decode([Bool].self, forKey: .flags)
        inner = try container.decode(Inner.self, forKey: .inner)
        weight = try container.decodeIfPresent(Double.self, forKey: .weight)
        small = try container.decodeIfPresent(Int32.self, forKey: .small)
        when = try container.decodeIfPresent(Date.self, forKey: .when)
        link = try container.decodeIfPresent(URL.self, forKey: .link)
        others = try container.decodeIfPresent([DecodedSample].self, forKey: .others)
        names = try container.decodeIfPresent([String: Int].self, forKey: .names)
        status = try container.decodeIfPresent(OpenEnum<Size>.self, forKey: .status)
        part = try Part(from: decoder)
        firstBorn = try container.decode(Date.self, forKey: .firstBorn)
    }
}

extension ReadSample {
    init(_ other: DecodedSample) {
        id = other.id
        name = other.name
        size = Size(other.size)
        flags = other.flags
        inner = Inner(name: other.inner.name, ratio: other.inner.ratio)
        weight = other.weight
        small = other.small
        when = other.when
        link = other.link
        others = other.others?.map(ReadSample.init)
        names = other.names
        status = other.status.map { OpenEnum(rawValue: $0.rawValue) }
        part = Part(name: other.part.name, level: other.part.level.flatMap { Level(rawValue: $0.rawValue) })
        firstBorn = other.firstBorn
    }
}

extension ReadSample.Size {
    init(_ other: DecodedSample.Size) { self = other == .small ? .small : .large }
}
