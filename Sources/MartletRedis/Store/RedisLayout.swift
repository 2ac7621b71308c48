internal import MartletCache

/// Under which names a store keeps what. Decision record 0031 says why so.
///
/// - `1:u:URI`: a hash of what is said of a URI: the generation (`g`) that its entries must be of, and its keys.
/// - `1:k:KEY`: the set of the variants of a key.
/// - `1:e:KEY:VARIANT`: an entry, a hash: generation, id, head, length of the body and, when it is small, the body.
/// - `1:b:WRITER:INDEX`: a piece of a larger body.
///
/// URIs, keys and variants are digests: names stay short, and nobody reads addresses and credentials in them.
struct RedisLayout: Sendable {
    let prefix: String

    func uri(_ uri: String) -> String { "\(prefix)1:u:\(RedisLayout.digest(of: uri))" }

    /// A key as it stands in names.
    func name(of key: CacheKey) -> String {
        RedisLayout.digest(of: key.uri) + (key.scope.isEmpty ? "" : RedisLayout.digest(of: key.scope))
    }

    func name(of variant: CacheVariant) -> String { RedisLayout.digest(of: variant.text) }

    /// What the names of the variants of all keys begin with.
    var allVariants: String { "\(prefix)1:k:" }

    /// What the names of all entries begin with.
    var allEntries: String { "\(prefix)1:e:" }

    func variants(of key: CacheKey) -> String { allVariants + name(of: key) }

    /// What the names of a key's entries begin with.
    func entries(of key: CacheKey) -> String { "\(allEntries)\(name(of: key)):" }

    /// What the names of a body's pieces begin with.
    func pieces(of writer: String) -> String { "\(prefix)1:b:\(writer):" }

    /// What all names begin with, as a pattern that takes nothing else.
    var pattern: String {
        prefix.unicodeScalars.reduce(into: "") { pattern, scalar in
            if "\\*?[]^-".unicodeScalars.contains(scalar) { pattern.append("\\") }
            pattern.unicodeScalars.append(scalar)
        } + "1:*"
    }

    private static func digest(of text: String) -> String {
        Hex.text(SHA2.digest(ofText: text).prefix(16))
    }
}
