import Foundation
import Testing

@testable import MartletJSON

@Suite("JSON nodes", .timeLimit(.minutes(5)))
struct JSONNodeTests {
    private func node(_ text: String, lone: Bool = false) throws -> JSONNode {
        var limits = JSONLimits()
        limits.allowsLoneSurrogates = lone
        return try JSONNode(parsing: Data(text.utf8), limits: limits)
    }

    @Test("A node has the range and the position of its value")
    func ranges() throws {
        let text = "{\"a\": [1, \"x]\\\"\", {}],\n \"b\" : -1.5e3}"
        let members = try node(text).members
        func bytes(_ node: JSONNode) -> String { String(decoding: Array(text.utf8)[node.range], as: UTF8.self) }
        #expect(members.map(\.name) == ["a", "b"])
        #expect(bytes(members[0].value) == #"[1, "x]\"", {}]"# && bytes(members[1].value) == "-1.5e3")
        #expect(members[0].value.elements.map(bytes) == ["1", #""x]\"""#, "{}"])
        #expect(members[1].value.position == JSONPosition(offset: 30, line: 2, column: 8))
    }

    @Test("Each kind of node has its own content only")
    func kinds() throws {
        let nodes = try node(#"[null, true, 1.50, "a\n", [], {"k": 1}]"#).elements
        #expect(nodes.map(\.kind) == [.null, .bool(true), .number, .string, .array, .object])
        #expect(nodes.map(\.number) == [nil, nil, "1.50", nil, nil, nil] && nodes.map(\.text) == [nil, nil, nil, "a\n", nil, nil])
        #expect(nodes.map(\.members.count) == [0, 0, 0, 0, 0, 1] && nodes.allSatisfy(\.elements.isEmpty))
        #expect(nodes.map(\.kindName) == ["null", "a Boolean value", "a number", "a string", "an array", "an object"])
        #expect(nodes[5].value == ["k": 1])
    }

    @Test("Repeated members are all listed, with and without escapes")
    func duplicates() throws {
        let members = try node(#"{"a": 1, "\u0061": 2, "a": 3}"#).members
        #expect(members.map(\.name) == ["a", "a", "a"] && members.map(\.value.number) == ["1", "2", "3"])
    }

    @Test("Half of a surrogate pair is refused, or read as U+FFFD if allowed")
    func loneSurrogates() throws {
        for text in [#""\ud83d""#, #""\ude00x""#, #""\ud83d\ud83d\ude00""#, #""\ud83d\n""#] {
            #expect(throws: JSONSyntaxError.self) { try node(text) }
        }
        #expect(try node(#""\ud83d""#, lone: true).text == "\u{FFFD}")
        #expect(try node(#""\ude00x""#, lone: true).text == "\u{FFFD}x")
        #expect(try node(#""\ud83d\ud83d\ude00""#, lone: true).text == "\u{FFFD}\u{1F600}")
        #expect(try node(#"{"\ud83d\n": 1}"#, lone: true).members.first?.name == "\u{FFFD}\n")
        #expect(throws: JSONSyntaxError.self) { try node(#""\ud83""#, lone: true) }
    }
}
