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

    /// Returns the name that the encoder writes for a coding key.
    static func written(_ key: String) -> String {
        var encoder = JSONBodyEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        guard let document = try? encoder.encode(Keys(first: key)), let value = try? JSONValue(parsing: document) else { return key }
        return value.objectValue?.first?.key ?? key
    }

    private struct Keys: Codable {
        let first: String?

        init(first: String) { self.first = first }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(0, forKey: Key(stringValue: first ?? ""))
        }

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
