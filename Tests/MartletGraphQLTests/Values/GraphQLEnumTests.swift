import Foundation
import MartletGraphQL
import Testing

@Suite("GraphQLEnum", .timeLimit(.minutes(5)))
struct GraphQLEnumTests {
    private enum Episode: String, Sendable { case newHope = "NEWHOPE", jedi = "JEDI" }

    private func read(_ json: String) throws -> [GraphQLEnum<Episode>] {
        try JSONDecoder().decode([GraphQLEnum<Episode>].self, from: Data(json.utf8))
    }

    @Test("A known value is decoded as its case, and an unknown one keeps its name")
    func reading() throws {
        let found = try read(#"["JEDI","ROGUE_ONE","jedi"]"#)
        guard case .known(.jedi) = found[0], case .unknown("ROGUE_ONE") = found[1], case .unknown("jedi") = found[2] else {
            Issue.record("\(found)")
            return
        }
        #expect(found.map(\.known) == [.jedi, nil, nil])
        #expect(found.map(\.description) == ["JEDI", "ROGUE_ONE", "jedi"])
    }

    @Test("A value that is not a string is a decoding error", arguments: ["[1]", "[null]", "[{}]"])
    func refusing(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
    }

    @Test("Known and unknown values are encoded by name")
    func writing() throws {
        let json = #"["JEDI","ROGUE_ONE"]"#
        #expect(String(decoding: try JSONEncoder().encode(try read(json)), as: UTF8.self) == json)
    }

    @Test("Values are equal if their names are, also to a bare enum value")
    func equality() {
        let known = GraphQLEnum(Episode.jedi), named = GraphQLEnum<Episode>.unknown("JEDI"), other = GraphQLEnum<Episode>(rawValue: "X")
        #expect(known == named)
        #expect(Set([known, named]).count == 1)
        #expect(known == .jedi)
        #expect(known != .newHope)
        #expect(other != known)
        #expect(other.known == nil)
    }
}
