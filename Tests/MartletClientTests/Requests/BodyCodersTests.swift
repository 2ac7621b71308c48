import Foundation
import MartletClient
import Testing

@Suite("The JSON coders", .timeLimit(.minutes(5)))
struct BodyCodersTests {
    private struct User: Codable, Equatable {
        var fullName: String
        var homeURL: String
        var joined: Date
    }

    private let user = User(fullName: "Ada", homeURL: "https://x/y", joined: Date(timeIntervalSince1970: 784_111_777))

    private func encoded(_ encoder: any BodyEncoder) throws -> String { String(decoding: try encoder.encode(user), as: UTF8.self) }

    @Test("The plain encoder keeps and sorts keys, leaves slashes unescaped and writes ISO 8601 dates")
    func plainEncoder() throws {
        #expect(try encoded(.json) == #"{"fullName":"Ada","homeURL":"https://x/y","joined":"1994-11-06T08:49:37Z"}"#)
    }

    @Test("The snake-case encoder writes keys in snake case and otherwise the same JSON")
    func snakeEncoder() throws {
        #expect(try encoded(.snakeCase) == #"{"full_name":"Ada","home_url":"https://x/y","joined":"1994-11-06T08:49:37Z"}"#)
    }

    @Test("Equal values give equal bytes, regardless of the order of their members")
    func stableBytes() throws {
        let members = (0..<50).map { ("key\($0)", $0) }
        let one = Dictionary(uniqueKeysWithValues: members), other = Dictionary(uniqueKeysWithValues: members.reversed())
        let encoder: some BodyEncoder = .json
        #expect(try encoder.encode(one) == encoder.encode(other))
    }

    @Test("The plain decoder reads the output of the plain encoder")
    func plainRoundTrip() throws {
        let encoder: some BodyEncoder = .json, decoder: some BodyDecoder = .json
        #expect(try decoder.decode(User.self, from: encoder.encode(user)) == user)
    }

    @Test("The snake-case decoder reads snake-case keys as camel case")
    func snakeDecoder() throws {
        struct Person: Decodable, Equatable { let fullName: String, homeUrl: String }
        let decoder: some BodyDecoder = .snakeCase
        let person = try decoder.decode(Person.self, from: Data(#"{"full_name": "Ada", "home_url": "x"}"#.utf8))
        #expect(person == Person(fullName: "Ada", homeUrl: "x"))
    }

    @Test("The coders name the media type that they write and read")
    func mediaTypes() {
        let encoder: some BodyEncoder = .json, decoder: some BodyDecoder = .snakeCase
        #expect(encoder.contentType == "application/json")
        #expect(decoder.accept == "application/json")
    }

    @Test("Changing a coder does not affect the coders of other callers")
    func fresh() throws {
        var mine: JSONBodyEncoder = .json
        mine.outputFormatting = .prettyPrinted
        #expect(try encoded(.json).hasPrefix(#"{"fullName""#))
    }
}
