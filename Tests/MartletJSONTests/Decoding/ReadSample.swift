import Foundation

@testable import MartletJSON

/// A type that reads itself as generated code does, with members of each kind.
struct ReadSample: Decodable, Equatable {
    enum Size: String, Decodable { case small, large }
    struct Inner: Decodable, Equatable { let name: String, ratio: Float? }

    let id: Int, name: String, size: Size, flags: [Bool], inner: Inner, weight: Double?, small: Int32?, when: Date?, link: URL?
    let others: [ReadSample]?, names: [String: Int]?

    static func document(_ random: inout SeededGenerator, depth: Int = 2) -> SampleValue {
        let others = (0..<(depth == 0 ? 0 : random.below(3))).map { _ in document(&random, depth: depth - 1) }
        return [
            "id": .number(random.pick(["0", "-7", "1.0", "1e3", "9223372036854775807"])), "name": .string(random.pick(SampleValue.strings)),
            "size": random.pick(["small", "large"]), "flags": random.pick([[], [true, false, true]]),
            "inner": ["name": "n", "ratio": random.pick([nil, 0.5])], "weight": random.pick([nil, 2.25, -1]),
            "small": random.pick([nil, 12]), "when": random.pick([nil, "2026-03-01T10:00:00Z"]),
            "link": random.pick([nil, "https://a.example/x?y=%20"]), "others": random.pick([nil, .array(others)]),
            "names": random.pick([nil, ["a": 1], [:]]), "unknown": random.pick([1, "x", [[:], nil, [true]], ["id": 2, "x": ["y": []]]]),
        ]
    }
}

extension ReadSample.Size: JSONReadable {}

extension ReadSample.Inner: JSONReadable {
    init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
        var name: String?, ratio: Float??
        try reader.beginObject()
        while try reader.nextMember() {
            if try reader.read("name", &name) { continue }
            if try reader.read("ratio", &ratio) { continue }
            try reader.skip()
        }
        self.init(name: try reader.required(name), ratio: ratio ?? nil)
    }
}

extension ReadSample: JSONReadable {
    init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
        var id: Int?, name: String?, size: Size?, flags: [Bool]?, inner: Inner?, weight: Double??, small: Int32??, when: Date??, link: URL??
        var others: [ReadSample]??, names: [String: Int]??
        try reader.beginObject()
        while try reader.nextMember() {
            if try reader.read("id", &id) { continue }
            if try reader.read("name", &name) { continue }
            if try reader.read("size", &size) { continue }
            if try reader.read("flags", &flags) { continue }
            if try reader.read("inner", &inner) { continue }
            if try reader.read("weight", &weight) { continue }
            if try reader.read("small", &small) { continue }
            if try reader.decode("when", &when) { continue }
            if try reader.decode("link", &link) { continue }
            if try reader.read("others", &others) { continue }
            if try reader.decode("names", &names) { continue }
            try reader.skip()
        }
        self.init(
            id: try reader.required(id), name: try reader.required(name), size: try reader.required(size),
            flags: try reader.required(flags),
            inner: try reader.required(inner), weight: weight ?? nil, small: small ?? nil, when: when ?? nil, link: link ?? nil,
            others: others ?? nil, names: names ?? nil)
    }
}
