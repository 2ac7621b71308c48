import Foundation
import Testing

@testable import MartletJSON

@Suite("Names in snake case", .timeLimit(.minutes(5)))
struct SnakeCaseTests {
    /// The keys that Foundation's decoder makes of a name.
    private struct FoundationKeys: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws { names = try decoder.container(keyedBy: SampleKey.self).allKeys.map(\.stringValue) }
    }

    private func foundationName(_ name: String) throws -> String? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(FoundationKeys.self, from: JSONEncoder().encode([name: 1])).names.first
    }

    @Test(
        "Names become camel case, as with Foundation's decoder",
        arguments: [
            ("", ""), ("_", "_"), ("___", "___"), ("name", "name"), ("Name", "Name"), ("fullName", "fullName"), ("full_name", "fullName"),
            ("a_b_c", "aBC"), ("_a", "_a"), ("a_", "a_"), ("_a_b_", "_aB_"), ("__a_b__", "__aB__"), ("a__b", "aB"), ("_a__b_c_", "_aBC_"),
            ("FULL_NAME", "fullName"), ("Full_nAME", "fullName"), ("full_NAME_x", "fullNameX"), ("_FULL", "_FULL"), ("FULL_", "FULL_"),
            ("item_2nd", "item2Nd"), ("item_2", "item2"), ("item_2_b", "item2B"), ("2nd_item", "2ndItem"), ("a_1b2c", "a1B2C"),
            ("v1_2", "v12"),
            ("url_4k_HD", "url4KHd"), ("größe_äpfel", "größeÄpfel"), ("ÄPFEL_ÖL", "äpfelÖl"), ("日本_語", "日本語"), ("a_ß", "aSs"),
            ("имя_файла", "имяФайла"), ("ab_c🦆d", "abC🦆D"), ("first-name_last-name", "first-nameLast-Name"), ("a_b c", "aB C"),
            ("a_it's", "aIt's"), ("$a_b", "$aB"), ("a_\"b", "a\"B"),
        ])
    func reading(name: String, expected: String) throws {
        #expect(SnakeCase.camelCase(name) == expected)
        #expect(try foundationName(name) == expected)
    }

    @Test("Random names convert as with Foundation's decoder")
    func randomNames() throws {
        var random = SeededGenerator(seed: 41)
        let characters =
            Array("aabcxyzABZ019____").map(String.init) + ["é", "É", "-", " ", ".", "ß", "🦆", "'", "ǆ", "ﬁ", "ı", "İ", "Σ", "ς"]
        for round in 0..<1_500 {
            let limit = round % 2 == 0 ? 17 : characters.count
            let name = (0..<random.below(12)).map { _ in characters[random.below(limit)] }.joined()
            let ours = SnakeCase.camelCase(name), theirs = try foundationName(name)
            if ours != theirs { Issue.record("\(name): \(ours) instead of \(theirs ?? "none")") }
        }
    }

    @Test(
        "Camel case becomes snake case",
        arguments: [
            ("myProperty", "my_property"), ("myURLProperty", "my_url_property"), ("URL", "u_rl"), ("", ""), ("_", "_"),
            ("__aB__", "__a_b__"),
            ("already_snake", "already_snake"), ("a1B2", "a1_b2"), ("x", "x"), ("X", "x"), ("myUR", "my_ur"),
        ])
    func writing(key: String, expected: String) {
        #expect(SnakeCase.snakeCase(key) == expected)
    }

    @Test("Random keys are converted as Foundation does", arguments: 0..<4)
    func randomKeys(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("abcABC019_-. ÄäßÉéΣσǅ漢😀e\u{301}E\u{301}")
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        foundation.outputFormatting = .withoutEscapingSlashes
        for _ in 0..<2000 {
            let key = String((0..<Int.random(in: 0...9, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            let value = Scripted { encoder in
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(0, forKey: TextKey(key))
            }
            let expected = String(decoding: try foundation.encode(value), as: UTF8.self)
            #expect("{\"\(SnakeCase.snakeCase(key))\":0}" == expected, "\(key)")
        }
    }
}
