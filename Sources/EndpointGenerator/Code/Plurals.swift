/// The singular forms of English nouns in paths and member names.
enum Plurals {
    /// Returns the singular of the last word: `order_item` for `order_items`. A word in the singular stays unchanged.
    static func singular(_ text: String) -> String {
        let lower = text.lowercased()
        for (plural, noun) in irregular where lower.hasSuffix(plural) {
            let ending = text.suffix(plural.count)
            let isCapital = ending.first?.isUppercase == true
            return text.dropLast(plural.count) + (isCapital ? noun.prefix(1).uppercased() + noun.dropFirst() : noun)
        }
        if unchanged.contains(where: lower.hasSuffix) { return text }
        if lower.hasSuffix("ies"), lower.count > 4 { return text.dropLast(3) + "y" }
        let endings = ["sses", "shes", "ches", "xes", "zes", "uses"]
        if endings.contains(where: lower.hasSuffix), lower.count > 4 { return String(text.dropLast(2)) }
        return lower.hasSuffix("s") && lower.count > 2 ? String(text.dropLast()) : text
    }

    /// Whether the last word is a plural.
    static func isPlural(_ text: String) -> Bool { singular(text) != text }

    private static let irregular: KeyValuePairs = [
        "people": "person", "children": "child", "movies": "movie", "cookies": "cookie", "caches": "cache", "indices": "index",
        "invoices": "invoice", "houses": "house", "causes": "cause", "pauses": "pause", "purchases": "purchase", "sizes": "size",
        "prizes": "prize", "analyses": "analysis", "categories": "category",
    ]
    private static let unchanged = ["ss", "us", "is", "news", "series", "species", "https", "alias", "always", "gps", "sms", "css", "dns"]
}
