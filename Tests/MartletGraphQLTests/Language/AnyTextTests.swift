import Testing

@testable import MartletGraphQL

@Suite("Parsing arbitrary text", .timeLimit(.minutes(5)))
struct AnyTextTests {
    private let sample = """
        \u{FEFF}"\""
          Finds heroes, ü🦋.
          \\\""" quoted
        ""\"
        query Hero("which" $id: ID! = "x\\n\\u00e9\\u{1F98B}\\uD83E\\uDD8B", $tags: [[Tag!]!] = [[NEW], []] @old) @cached(for: -1.5e+10) {
          first: hero(id: $id, filter: {exact: true, n: null, m: 0}) @include(if: $yes) { ...Person ... on Droid { name } } # rest
          ... @skip(if: false) { other, }\r\n}
        fragment Person on Hero @x { id }
        subscription S { s }\rmutation { m(text: "\""a\n  b\n c"\"") }
        """

    /// Whether a text parses, or fails at a position within it.
    private func isAnswered(_ bytes: some Collection<UInt8>) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(GraphQLSyntaxError) {
            _ = try ExecutableDocument.parse(text)
            return true
        } catch {
            return error.line >= 1 && error.column >= 1 && error.column <= text.unicodeScalars.count + 1 && !error.message.isEmpty
        }
    }

    @Test("The complete document parses")
    func whole() throws {
        let document = try ExecutableDocument.parse(sample)
        #expect(document.operations.map(\.kind) == [.query, .subscription, .mutation])
        #expect(document.operations[0].variables[0].defaultValue == .string("x\né🦋🦋"))
    }

    @Test("Each prefix of it parses or fails with a position")
    func prefixes() {
        let bytes = Array(sample.utf8)
        #expect(bytes.indices.allSatisfy { isAnswered(bytes[..<$0]) })
    }

    @Test("Each suffix of it parses or fails with a position")
    func suffixes() {
        let bytes = Array(sample.utf8)
        #expect(bytes.indices.allSatisfy { isAnswered(bytes[$0...]) })
    }

    @Test("With any byte replaced, it parses or fails with a position")
    func changes() async {
        var bytes = Array(sample.utf8)
        let others: [UInt8] = Array("\"\\{}[]()$!.:=@#-0au_ \n\r,|&'".utf8) + [0, 7, 0x7F, 0x80, 0xBB, 0xC3, 0xEF, 0xF0, 0xFF]
        var unanswered: [String] = []
        for index in bytes.indices {
            let kept = bytes[index]
            for other in others {
                bytes[index] = other
                if !isAnswered(bytes) { unanswered.append("\(index): \(other)") }
            }
            bytes[index] = kept
            // Thirty thousand parses would block the thread for other tests with real servers and deadlines.
            await Task.yield()
        }
        #expect(unanswered.isEmpty)
    }
}
