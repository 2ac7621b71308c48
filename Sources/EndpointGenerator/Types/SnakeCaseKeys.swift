internal import MartletEssentials
internal import MartletJSON

/// The coding keys that the coder `.snakeCase` uses for names of members.
enum SnakeCaseKeys {
    /// Returns the coding key of a member. It is read with the decoder itself, so that both always agree.
    static func key(for member: String) -> String {
        var decoder = JSONBodyDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let document = Data("{\(JSONText.quoted(member)):0}".utf8)
        return (try? decoder.decode(Keys.self, from: document))?.first ?? member
    }

    private struct Keys: Decodable {
        let first: String?

        init(from decoder: any Decoder) throws {
            first = try decoder.container(keyedBy: Key.self).allKeys.first?.stringValue
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
