import Foundation
import MartletGraphQL
import Testing

@Suite("GraphQLID", .timeLimit(.minutes(5)))
struct GraphQLIDTests {
    private func read(_ json: String) throws -> [GraphQLID] {
        try JSONDecoder().decode([GraphQLID].self, from: Data(json.utf8))
    }

    @Test("An ID is decoded from a string or an integer with every digit (GraphQL §3.5.5)")
    func reading() throws {
        let ids = try read(#"["1000", 1001, -7, 0, "", "ü", 18446744073709551615, 123456789012345678901234567890, "1.5", 1e3, 2.0]"#)
        let texts = ["1000", "1001", "-7", "0", "", "ü", "18446744073709551615", "123456789012345678901234567890", "1.5", "1000", "2"]
        #expect(ids.map(\.rawValue) == texts)
    }

    @Test("Any other value is a decoding error with the path", arguments: ["1.5", "true", "null", "{}", "[]"])
    func refusing(_ json: String) {
        struct User: Decodable { let ids: [GraphQLID] }
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(User.self, from: Data("{\"ids\":[\"a\",\(json)]}".utf8))
        }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["ids", "1"])
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("An ID is encoded as a string")
    func writing() throws {
        #expect(String(decoding: try JSONEncoder().encode([GraphQLID("a"), 7]), as: UTF8.self) == #"["a","7"]"#)
    }

    @Test("IDs that are only equal in Unicode are different, and have an order")
    func bytes() {
        let composed: GraphQLID = "é", other: GraphQLID = "e\u{301}"
        #expect(composed != other && Set([composed, other, "é"]).count == 2)
        #expect(other < composed && !(composed < other))
        #expect(GraphQLVariable.string("é") != "e\u{301}" && GraphQLVariable.list(["é"]) == ["é"])
    }

    @Test("IDs are created from literals, strings and numbers, and are keys of JSON objects")
    func making() throws {
        let number = 5, id: GraphQLID = "user-\(number)", literal: GraphQLID = 1000
        #expect(id.description == "user-5")
        #expect(literal == "1000")
        #expect(GraphQLID(UInt64.max).rawValue == "18446744073709551615")
        #expect(Set([GraphQLID("4"), 4]).count == 1)
        #expect(["b", "a"].map { GraphQLID($0) }.sorted().map(\.rawValue) == ["a", "b"])
        let json = try JSONEncoder().encode([literal: 1])
        #expect(String(decoding: json, as: UTF8.self) == #"{"1000":1}"#)
        #expect(try JSONDecoder().decode([GraphQLID: Int].self, from: json) == ["1000": 1])
    }
}
