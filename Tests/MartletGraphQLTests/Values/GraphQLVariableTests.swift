import Foundation
import MartletGraphQL
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLVariableTests {
    private func json(_ variables: [String: GraphQLVariable]) throws -> String {
        String(decoding: try JSONBodyEncoder.json.encode(variables), as: UTF8.self)
    }

    @Test("Literals of every kind are encoded as JSON, also nested")
    func literals() throws {
        let variables: [String: GraphQLVariable] = [
            "id": "1000", "limit": 3, "ratio": 0.5, "filter": ["tags": ["a", nil], "exact": true], "after": nil,
        ]
        #expect(try json(variables) == #"{"after":null,"filter":{"exact":true,"tags":["a",null]},"id":"1000","limit":3,"ratio":0.5}"#)
    }

    @Test("Common Swift types of any width become the corresponding cases")
    func swiftValues() {
        #expect(GraphQLVariable("x" as String) == .string("x"))
        #expect(GraphQLVariable(UInt8(7)) == .integer(7))
        #expect(GraphQLVariable(true) == .bool(true))
        #expect(GraphQLVariable(2.5) == .number(2.5))
        #expect(GraphQLVariable(nil) == .null)
        #expect(GraphQLVariable(JSONValue.array([1, "a", nil])) == .list([1, "a", nil]))
        #expect(GraphQLVariable(GraphQLVariable.integer(1)) == .integer(1))
    }

    @Test("Integers beyond 64 bits and decimals keep every digit")
    func digits() throws {
        let decimal = try #require(Decimal(string: "0.1234567890123456789012345"))
        let variables = ["big": GraphQLVariable(UInt64.max), "price": GraphQLVariable(decimal)]
        #expect(try json(variables) == #"{"big":18446744073709551615,"price":0.1234567890123456789012345}"#)
    }

    @Test("A Swift value is encoded by the client's encoder, with its date format")
    func encoderOfTheClient() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let data = try encoder.encode(["at": GraphQLVariable(Date(timeIntervalSince1970: 12))])
        #expect(String(decoding: data, as: UTF8.self) == #"{"at":12}"#)
    }

    @Test("Swift values are equal if they encode to the same JSON")
    func equality() {
        struct Filter: Encodable { let text: String }
        #expect(GraphQLVariable(Filter(text: "a")) == GraphQLVariable(Filter(text: "a")))
        #expect(GraphQLVariable(Filter(text: "a")) != GraphQLVariable(Filter(text: "b")))
        #expect(GraphQLVariable(Filter(text: "a")).hashValue == GraphQLVariable(Filter(text: "a")).hashValue)
    }

    @Test("A value that can't be encoded equals only its copies")
    func equalityOfUnencodableValues() {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws { throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "")) }
        }
        let notANumber = GraphQLEncodable([Double.nan]), broken = GraphQLEncodable(Broken())
        for value in [notANumber, broken, GraphQLEncodable([1.5])] {
            let copy = value
            #expect(value == copy)
            #expect(value.hashValue == copy.hashValue)
        }
        #expect(notANumber != broken)
        #expect(notANumber != GraphQLEncodable([Double.nan]))
        #expect(notANumber != GraphQLEncodable([Double.infinity]))
        #expect(notANumber != GraphQLEncodable([1.5]))
        #expect(GraphQLEncodable([1.5]) != notANumber)
        #expect(Set([notANumber, broken, notANumber]).count == 2)
    }

    @Test("The description of a Swift value shows its type and not the value")
    func quiet() {
        struct Secret: Encodable { let password = "s3cret" }
        let text = "\(GraphQLEncodable(Secret()))"
        #expect(text == "Secret")
    }
}
