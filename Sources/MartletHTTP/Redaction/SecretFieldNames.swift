/// Whether a field name indicates a secret, by ``SecretNames``. Results are cached, because checking a name takes longer than a cache hit.
enum SecretFieldNames {
    private static let maxCount = 1_000
    private static let maxLength = 64

    /// The cached results. They depend on the name only, so sharing them in the process is safe.
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
