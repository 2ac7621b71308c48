import Foundation
import Testing

@testable import MartletJSON

@Suite("Names in snake case", .timeLimit(.minutes(1)))
struct SnakeCaseReadingTests {
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
    func conversion(name: String, expected: String) throws {
        #expect(SnakeCaseReading.camelCase(name) == expected)
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
            let ours = SnakeCaseReading.camelCase(name), theirs = try foundationName(name)
            if ours != theirs { Issue.record("\(name): \(ours) instead of \(theirs ?? "none")") }
        }
    }
}
