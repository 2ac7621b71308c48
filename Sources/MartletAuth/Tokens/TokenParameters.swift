/// Selects the members of a token response that ``AccessToken`` stores in addition to its own properties. It depends only on its arguments.
enum TokenParameters {
    /// The limit on their total size in bytes, each written as a JSON object.
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
            guard fits(value, levels: maxLevels) else { continue }
            let size = "\([name: value] as JSONValue)".utf8.count
            guard size <= room else { continue }
            room -= size
            taken[name] = value
        }
        return taken
    }

    private static func inOrder(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        members.sorted { ($0.key == "id_token" ? 0 : 1, $0.key) < ($1.key == "id_token" ? 0 : 1, $1.key) }
    }

    private static func fits(_ value: JSONValue, levels: Int) -> Bool {
        switch value {
        case .array(let elements): levels > 0 && elements.allSatisfy { fits($0, levels: levels - 1) }
        case .object(let members): levels > 0 && members.allSatisfy { fits($0.value, levels: levels - 1) }
        default: true
        }
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
