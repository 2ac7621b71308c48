/// Which field names carry a secret, by ``SecretNames``, looked up once for each name: reading a name takes longer than a cache
/// hit does.
enum SecretFieldNames {
    private static let maxCount = 1_000
    private static let maxLength = 64

    /// A function of the names alone: what one part of the process adds changes no result of another.
    private static let known = Locked<[String: Bool]>([:])

    static func contain(_ name: String) -> Bool {
        guard name.utf8.count <= maxLength else { return SecretNames.contain(Array(name.utf8)[...]) }
        if let isSecret = known.withLock({ $0[name] }) { return isSecret }
        let isSecret = SecretNames.contain(Array(name.utf8)[...])
        known.withLock { known in
            if known.count >= maxCount { known = [:] }
            known[name] = isSecret
        }
        return isSecret
    }
}
