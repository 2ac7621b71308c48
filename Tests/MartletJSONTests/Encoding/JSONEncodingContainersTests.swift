import Foundation
import MartletJSON
import Testing

@Suite("JSON containers", .timeLimit(.minutes(5)))
struct JSONEncodingContainersTests {
    private func text(_ value: some Encodable, _ outputFormatting: JSONBodyEncoder.OutputFormatting = []) throws -> String {
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = outputFormatting
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func script(_ body: @escaping (any Encoder) throws -> Void) -> Scripted { Scripted(body) }

    // MARK: Nested containers

    @Test("Nested containers can be written in alternation")
    func interleaved() throws {
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            var first = root.nestedContainer(keyedBy: TextKey.self, forKey: "first")
            var second = root.nestedUnkeyedContainer(forKey: "second")
            try root.encode("between", forKey: "value")
            try first.encode(1, forKey: "a")
            try second.encode(2)
            var inner = second.nestedContainer(keyedBy: TextKey.self)
            try first.encode([3], forKey: "b")
            try inner.encode(4, forKey: "c")
            try second.encode(5)
            #expect(second.count == 3)
        }
        #expect(try text(value) == #"{"first":{"a":1,"b":[3]},"second":[2,{"c":4},5],"value":"between"}"#)
        #expect(try text([value], .prettyPrinted).contains("\n    \"second\": [\n      2,\n      {\n        \"c\": 4\n      },\n"))
    }

    @Test("Sorting moves nested containers with their keys")
    func sortedParts() throws {
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            var late = root.nestedContainer(keyedBy: TextKey.self, forKey: "z")
            try root.encode(1, forKey: "m")
            var early = root.nestedUnkeyedContainer(forKey: "a")
            try late.encode(2, forKey: "y")
            try late.encode(3, forKey: "x")
            try early.encode("long text in a part")
        }
        #expect(try text(["k": value], .sortedKeys) == #"{"k":{"a":["long text in a part"],"m":1,"z":{"x":3,"y":2}}}"#)
    }

    @Test("A nested container requested again under its key is continued")
    func continuedPart() throws {
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            var first = root.nestedContainer(keyedBy: TextKey.self, forKey: "k")
            try first.encode(1, forKey: "a")
            var second = root.nestedContainer(keyedBy: TextKey.self, forKey: "k")
            try second.encode(2, forKey: "b")
        }
        #expect(try text(value) == #"{"k":{"a":1,"b":2}}"#)
    }

    @Test("Unused nested containers and super encoders are empty")
    func emptyParts() throws {
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            _ = root.nestedContainer(keyedBy: TextKey.self, forKey: "a")
            var array = root.nestedUnkeyedContainer(forKey: "b")
            _ = array.superEncoder()
            _ = array.nestedUnkeyedContainer()
            _ = root.superEncoder()
            _ = root.superEncoder(forKey: "c")
        }
        #expect(try text(value) == #"{"a":{},"b":[{},[]],"super":{},"c":{}}"#)
    }

    // MARK: Super encoders

    private class Base: Encodable {
        let baseValue = 1
        private enum CodingKeys: CodingKey { case baseValue }
    }

    private final class Keyed: Base {
        let ownValue = 2
        private enum CodingKeys: CodingKey { case ownValue }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())
            try container.encode(ownValue, forKey: .ownValue)
        }
    }

    private final class Flat: Base {
        let ownValue = 2
        private enum CodingKeys: CodingKey { case ownValue }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(ownValue, forKey: .ownValue)
        }
    }

    @Test("Subclasses encode into a super encoder or into the same object")
    func inheritance() throws {
        #expect(try text([Keyed()]) == #"[{"super":{"baseValue":1},"ownValue":2}]"#)
        #expect(try text([Flat()]) == #"[{"baseValue":1,"ownValue":2}]"#)
    }

    @Test("A super encoder of an array that is used late keeps its position")
    func lateSuperEncoder() throws {
        let value = script { encoder in
            var array = encoder.unkeyedContainer()
            try array.encode(1)
            let late = array.superEncoder()
            try array.encode(2)
            var single = late.singleValueContainer()
            try single.encode(["late"])
        }
        #expect(try text(value) == #"[1,["late"],2]"#)
    }

    // MARK: Members

    @Test("The last value of a key encoded twice counts, at the place of the first", arguments: [3, 20, 60])
    func duplicates(count: Int) throws {
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count { try root.encode(index, forKey: TextKey("a common prefix \(index)")) }
            try root.encode("new", forKey: "a common prefix 1")
            try root.encode([9], forKey: "a common prefix 2")
            var part = root.nestedContainer(keyedBy: TextKey.self, forKey: "a common prefix 0")
            try part.encode(true, forKey: "p")
        }
        var expected = [#"{"p":true}"#, #""new""#, "[9]"]
        for index in 3..<max(count, 3) { expected.append("\(index)") }
        let members = expected.indices.map { #""a common prefix \#($0)":\#(expected[$0])"# }
        #expect(try text(value) == "{" + members.joined(separator: ",") + "}")
        #expect(try text(value, .sortedKeys) == "{" + members.sorted().joined(separator: ",") + "}")
    }

    @Test("Two keyed containers of one value write to the same object")
    func sameObject() throws {
        let value = script { encoder in
            var first = encoder.container(keyedBy: TextKey.self)
            var second = encoder.container(keyedBy: TextKey.self)
            try first.encode(1, forKey: "a")
            try second.encode(2, forKey: "b")
            try first.encode(3, forKey: "c")
        }
        #expect(try text(value) == #"{"a":1,"b":2,"c":3}"#)
    }

    @Test("A value whose error is caught leaves nothing in the output")
    func caughtError() throws {
        let failing = script { encoder in
            var inner = encoder.container(keyedBy: TextKey.self)
            _ = inner.nestedContainer(keyedBy: TextKey.self, forKey: "n")
            try inner.encode([1, 2], forKey: "b")
            throw CancellationError()
        }
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            try root.encode(1, forKey: "a")
            var part = root.nestedUnkeyedContainer(forKey: "p")
            try? root.encode(["d": [failing]], forKey: "x")
            try? part.encode(failing)
            try part.encode(4)
            try root.encode(3, forKey: "y")
        }
        #expect(try text(value) == #"{"a":1,"p":[4],"y":3}"#)
        let single = script { encoder in
            var container = encoder.singleValueContainer()
            try? container.encode(failing)
            try container.encode(1)
        }
        #expect(try text([single]) == "[1]")
    }

    @Test("A nested value that encodes nothing is an empty object")
    func nothing() throws {
        let nothing = script { _ in }
        #expect(try text(["a": [nothing]]) == #"{"a":[{}]}"#)
        #expect(try text(script { try $0.singleValueContainer().encodeInPlace(nothing) }) == "{}")
    }

    @Test("Coding paths equal those of Foundation")
    func codingPaths() throws {
        let recorder = PathRecorder()
        let value = script { encoder in
            recorder.record(encoder)
            var root = encoder.container(keyedBy: TextKey.self)
            var array = root.nestedUnkeyedContainer(forKey: "u")
            try array.encode(1)
            recorder.paths.append(array.nestedContainer(keyedBy: TextKey.self).codingPath.map(\.stringValue))
            recorder.record(root.superEncoder())
            recorder.record(root.superEncoder(forKey: "s"))
            try root.encode([[script { recorder.record($0) }], []], forKey: "v")
            let wrapper = script { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(script { recorder.record($0) })
            }
            try root.encode(wrapper, forKey: "w")
            recorder.paths.append(root.codingPath.map(\.stringValue))
        }
        _ = try JSONBodyEncoder().encode([value])
        let own = recorder.paths
        recorder.paths = []
        _ = try JSONEncoder().encode([value])
        #expect(own == recorder.paths)
        #expect(own.count == 7)
    }

    @Test("Coding paths inside nested containers and dictionaries are complete")
    func completePaths() throws {
        // Foundation omits the path of the nested container and of the dictionary here.
        let recorder = PathRecorder()
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            var array = root.nestedUnkeyedContainer(forKey: "u")
            try array.encode(1)
            try array.encode([script { recorder.record($0) }])
            recorder.record(array.superEncoder())
            try root.encode(["k": script { recorder.record($0) }], forKey: "d")
        }
        _ = try JSONBodyEncoder().encode(value)
        #expect(recorder.paths == [["u/-1", "Index 1/1", "Index 0/0"], ["u/-1", "Index 2/2"], ["d/-1", "k/-1"]])
    }

    @Test("Keys of more than one byte and keys with escapes are written in full")
    func largeKeys() throws {
        let names = ["a\"b", "\u{1}", "", "é漢", String(repeating: "long", count: 100)]
        let value = script { encoder in
            var root = encoder.container(keyedBy: TextKey.self)
            for name in names { try root.encode(name, forKey: TextKey(name)) }
        }
        let parsed = try JSONSerialization.jsonObject(with: JSONBodyEncoder().encode(value)) as? [String: String]
        #expect(parsed == Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
    }
}

/// Collects the coding paths of encoders.
private final class PathRecorder {
    var paths: [[String]] = []

    func record(_ encoder: any Encoder) { paths.append(encoder.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }) }
}

extension SingleValueEncodingContainer {
    fileprivate func encodeInPlace(_ value: some Encodable) throws {
        var container = self
        try container.encode(value)
    }
}
