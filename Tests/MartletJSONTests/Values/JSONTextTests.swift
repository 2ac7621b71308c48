import Foundation
import MartletJSON
import Testing

@Suite("JSON text for people", .timeLimit(.minutes(5)))
struct JSONTextTests {
    @Test("A quoted string reads back unchanged and contains nothing that a terminal interprets")
    func quoted() throws {
        var scalars = String.UnicodeScalarView("😀\u{10FFFF}".unicodeScalars)
        for value in UInt32(0)..<0x3000 { if let scalar = Unicode.Scalar(value) { scalars.append(scalar) } }
        let quoted = JSONText.quoted(String(scalars))
        let isVisible = quoted.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\u{2028}" && $0 != "\u{2029}"
        }
        #expect(isVisible)
        let read = try JSONNode(parsing: Data(quoted.utf8)).text
        #expect(read?.unicodeScalars.elementsEqual(scalars) == true)
    }

    @Test(
        "Escapes are short where JSON has common ones",
        arguments: [
            ("", #""""#), ("a/b é😀", #""a/b é😀""#), ("\"\\\n\r\t", #""\"\\\n\r\t""#), ("\u{8}\u{1B}\u{7F}", #""\u0008\u001b\u007f""#),
            ("\u{85}\u{2028}\u{2029}", #""\u0085\u2028\u2029""#),
        ])
    func escapes(text: String, quoted: String) {
        #expect(JSONText.quoted(text) == quoted)
    }

    @Test("A value is indented by two spaces for each level and keeps the order of its members")
    func prettyValue() {
        let value: JSONValue = ["b": [1, -2.5, [], nil], "a": ["x\n": true, "y": [:]]]
        let lines = """
            {
              "b": [
                1,
                -2.5,
                [],
                null
              ],
              "a": {
                "x\\n": true,
                "y": {}
              }
            }
            """
        #expect(JSONText.pretty(value) == lines)
        #expect(JSONText.pretty(["a": 1] as JSONValue, level: 2) == "{\n      \"a\": 1\n    }")
    }

    @Test("A node is written with sorted members, repeated ones included, and unchanged numbers")
    func prettyNode() throws {
        let node = try JSONNode(parsing: Data(#"{"b":[1.50, 1e400],"a":{},"b":"é","c":[true,null]}"#.utf8))
        let lines = """
            {
              "a": {},
              "b": [
                1.50,
                1e400
              ],
              "b": "é",
              "c": [
                true,
                null
              ]
            }
            """
        #expect(JSONText.pretty(node) == lines)
        #expect(JSONText.pretty(node.members[0].value, level: 1) == "[\n    1.50,\n    1e400\n  ]")
    }

    @Test("A value in one line has no spaces and sorted members")
    func line() {
        let value: JSONValue = ["b": [1, 2.5, "x\u{7F}"], "a": ["d": nil, "c": false], "e": [:]]
        #expect(JSONText.line(value) == #"{"a":{"c":false,"d":null},"b":[1,2.5,"x\u007f"],"e":{}}"#)
    }
}
