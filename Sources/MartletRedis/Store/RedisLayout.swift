internal import MartletCache

/// The names of a store's keys. Decision record 0031 gives the reasons.
///
/// - `1:u:URI`: a hash for a URI: the current generation (`g`) of its entries, and its keys.
/// - `1:k:KEY`: the set of the variants of a key.
/// - `1:e:KEY:VARIANT`: a hash for an entry: generation, ID, head, length of the body and, if it is small, the body.
/// - `1:b:WRITER:INDEX`: a piece of a larger body.
///
/// URIs, keys and variants are digests, so that names are short and reveal no addresses or credentials.
struct RedisLayout: Sendable {
    let prefix: String

    func uri(_ uri: String) -> String { "\(prefix)1:u:\(RedisLayout.digest(of: uri))" }

    /// Returns the name of a key.
    func name(of key: CacheKey) -> String {
        RedisLayout.digest(of: key.uri) + (key.scope.isEmpty ? "" : RedisLayout.digest(of: key.scope))
    }

    func name(of variant: CacheVariant) -> String { RedisLayout.digest(of: variant.text) }

    /// The prefix of the names of all sets of variants.
    var allVariants: String { "\(prefix)1:k:" }

    /// The prefix of the names of all entries.
    var allEntries: String { "\(prefix)1:e:" }

    func variants(of key: CacheKey) -> String { allVariants + name(of: key) }

    /// Returns the prefix of the names of a key's entries.
    func entries(of key: CacheKey) -> String { "\(allEntries)\(name(of: key)):" }

    /// Returns the prefix of the names of a body's pieces.
    func pieces(of writer: String) -> String { "\(prefix)1:b:\(writer):" }

    /// A pattern that matches exactly the names of the store's keys.
    var pattern: String {
        prefix.unicodeScalars.reduce(into: "") { pattern, scalar in
            if "\\*?[]^-".unicodeScalars.contains(scalar) { pattern.append("\\") }
            pattern.unicodeScalars.append(scalar)
        } + "1:*"
    }

    static func digest(of text: String) -> String {
        Hex.text(SHA2.digest(ofText: text).prefix(16))
    }
}
