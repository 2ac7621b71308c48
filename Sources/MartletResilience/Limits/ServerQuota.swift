/// A quota that a response reports (draft-ietf-httpapi-ratelimit-headers-10): the requests that are left until it is renewed.
struct ServerQuota: Sendable, Hashable {
    /// The name of the quota's policy.
    let name: String
    /// The number of requests that are left.
    let remaining: Int
    /// The time until the quota is renewed.
    let reset: Duration

    /// The maximum number of quotas that are read from one response.
    private static let limit = 8
    /// The unit of requests. The singular is that of earlier drafts.
    private static let units: Set<String> = ["requests", "request"]

    /// Reads `RateLimit`, and `RateLimit-Policy` for quotas without a time (`t`) and for their units. Quotas of other units than requests,
    /// malformed ones and those without any time are ignored. The partition key (`pk`) is not read: the scope of the limiter divides requests.
    ///
    /// Fields of the earlier drafts, such as `RateLimit-Remaining`, are not read. They have no name, so that the limit of one route would hold
    /// back all requests of the group.
    static func read(from headers: HTTPFields) -> [ServerQuota] {
        let members = headers.values(for: "RateLimit").flatMap(\.listMembers).prefix(limit)
        guard !members.isEmpty else { return [] }
        var windows: [String: Int64] = [:]
        var others: Set<String> = []
        for policy in headers.values(for: "RateLimit-Policy").flatMap(\.listMembers).prefix(limit).compactMap(item) {
            windows[policy.name] = policy.values["w"].flatMap(number)
            if let unit = policy.values["qu"], !units.contains(unit) { others.insert(policy.name) }
        }
        return members.compactMap(item).compactMap { quota in
            guard !others.contains(quota.name), let remaining = quota.values["r"].flatMap(number),
                let reset = quota.values["t"].flatMap(number) ?? windows[quota.name]
            else { return nil }
            return ServerQuota(name: quota.name, remaining: Int(clamping: remaining), reset: .seconds(Int32(clamping: reset)))
        }
    }

    /// Reads a string or token with its parameters (RFC 9651 §3.3).
    private static func item(_ text: String) -> (name: String, values: [String: String])? {
        var reader = FieldReader(text)
        reader.skip(while: Token.isWhitespace)
        guard let name = reader.quoted(or: { $0.token() }) else { return nil }
        reader.skip(while: Token.isWhitespace)
        let parameters = reader.parameters { _, reader in
            reader.quoted { $0.text { $0 != FieldReader.semicolon } }
        }
        return (name, Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    }

    private static func number(_ text: String) -> Int64? { text.isDecimal ? Int64(text) ?? .max : nil }
}
