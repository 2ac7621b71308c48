import Foundation
import MartletGraphQL
import Testing

@Suite("GraphQLNullable", .timeLimit(.minutes(5)))
struct GraphQLNullableTests {
    private struct Profile: Codable, Equatable {
        var name: GraphQLNullable<String>?
        var tags: GraphQLNullable<[String]>?
        var age: GraphQLNullable<Int>?
    }

    private struct Required: Decodable { let x: GraphQLNullable<Int> }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("A nil property is left out, .null is null, and a value is encoded (GraphQL §2.9.5)")
    func writing() throws {
        #expect(try json(Profile()) == "{}")
        #expect(try json(Profile(name: .null, tags: ["a"], age: 3)) == #"{"age":3,"name":null,"tags":["a"]}"#)
        #expect(try json(Profile(name: "n", tags: [], age: .value(0))) == #"{"age":0,"name":"n","tags":[]}"#)
    }

    @Test(
        "Encoded values decode unchanged, and null differs from a missing key",
        arguments: [#"{}"#, #"{"name":null}"#, #"{"age":1,"tags":[]}"#])
    func roundTrip(_ text: String) throws {
        #expect(try json(JSONDecoder().decode(Profile.self, from: Data(text.utf8))) == text)
    }

    @Test("A property that is not optional must be present, as null or a value")
    func required() throws {
        func read(_ text: String) throws -> GraphQLNullable<Int> {
            let required = try JSONDecoder().decode(Required.self, from: Data(text.utf8))
            return required.x
        }
        #expect(try read(#"{"x":null}"#) == .null)
        #expect(try read(#"{"x":5}"#) == .value(5))
        #expect(throws: DecodingError.self) { _ = try read("{}") }
        #expect(throws: DecodingError.self) { try read(#"{"x":"5"}"#) }
    }

    @Test("Literals create values of the wrapped type")
    func literals() {
        let name = "x"
        let text: GraphQLNullable<String> = "a\(name)", double: GraphQLNullable<Double> = 2.5, truth: GraphQLNullable<Bool> = true
        let id: GraphQLNullable<GraphQLID> = 7, list: GraphQLNullable<[GraphQLID]> = ["a", 1]
        #expect(text.wrapped == "ax")
        #expect(double.wrapped == 2.5)
        #expect(truth.wrapped == true)
        #expect(id.wrapped == "7")
        #expect(list.wrapped == ["a", "1"])
        #expect(GraphQLNullable<Int>.null.wrapped == nil)
    }

    @Test("An optional becomes a value or null")
    func optionals() {
        let some: Int? = 4, none: Int? = nil
        #expect(GraphQLNullable(some) == .value(4))
        #expect(GraphQLNullable(none) == .null)
    }
}
