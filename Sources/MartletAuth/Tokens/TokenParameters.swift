/// Selects the members of a token response that ``AccessToken`` stores in addition to its own properties. It depends only on its arguments.
enum TokenParameters {
    /// The limit on their total size in bytes: names, texts and punctuation as JSON. Escapes are not counted.
    static let maxBytes = 65_536
    /// The maximum nesting, so that a store can read them back.
    static let maxLevels = 16

    private static let ownNames: Set = ["access_token", "token_type", "expires_in", "refresh_token", "scope"]

    /// Returns the members for which ``AccessToken`` has no property, within the limits.
    static func others(of members: [String: JSONValue]) -> [String: JSONValue] {
        merged(members.filter { !ownNames.contains($0.key) }, with: [:])
    }

    /// Returns the parameters of a refreshed token: those of the response, and the old token's where the response omits them.
    ///
    /// `id_token` is taken first, then the others by name. A parameter that exceeds the limits is dropped.
    static func merged(_ fresh: [String: JSONValue], with old: [String: JSONValue]) -> [String: JSONValue] {
        var taken: [String: JSONValue] = [:], room = maxBytes
        for (name, value) in inOrder(fresh) + inOrder(old.filter { fresh[$0.key] == nil }) {
            guard let size = size(of: value, levels: maxLevels), size + name.utf8.count + 4 <= room else { continue }
            room -= size + name.utf8.count + 4
            taken[name] = value
        }
        return taken
    }

    private static func inOrder(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { ($0.key == "id_token" ? 0 : 1, $0.key) < ($1.key == "id_token" ? 0 : 1, $1.key) }
    }

    /// Returns the size of a value as JSON, or nil if it is nested too deeply.
    private static func size(of value: JSONValue, levels: Int) -> Int? {
        switch value {
        case .null, .bool: return 5
        case .integer: return 20
        case .number(let number): return number.description.utf8.count
        case .string(let text): return text.utf8.count + 2
        case .array(let elements): return size(of: elements.lazy.map { ($0, 1) }, levels: levels)
        case .object(let members): return size(of: members.lazy.map { ($0.value, $0.key.utf8.count + 4) }, levels: levels)
        }
    }

    /// Returns the size of an array or object. `around` is the number of bytes beside each value.
    private static func size(of values: some Sequence<(value: JSONValue, around: Int)>, levels: Int) -> Int? {
        guard levels > 0 else { return nil }
        var sum = 2
        for (value, around) in values {
            guard let size = size(of: value, levels: levels - 1) else { return nil }
            sum += size + around
        }
        return sum
    }
}

extension AccessToken {
    /// Returns the token with the members that its response omitted, from the old token: the refresh token (RFC 6749 §6), scopes (§5.1) and
    /// other parameters.
    func completed(from old: AccessToken?) -> AccessToken {
        var token = self
        token.refreshToken = refreshToken ?? old?.refreshToken
        if scopes.isEmpty { token.scopes = old?.scopes ?? [] }
        token.additionalParameters = TokenParameters.merged(additionalParameters, with: old?.additionalParameters ?? [:])
        return token
    }
}
