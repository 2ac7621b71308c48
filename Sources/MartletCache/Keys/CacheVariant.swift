/// The selecting fields of a response: the request's fields named by `Vary`, with their values (RFC 9111 §4.1).
package struct CacheVariant: Hashable, Sendable {
    /// A selecting field.
    package struct Selector: Hashable, Sendable {
        /// The field name in lower case.
        let name: String
        /// The normalised value, or nil if the request did not have the field.
        let value: String?

        /// Creates a selecting field.
        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, sorted by name. Empty without `Vary`.
    let selectors: [Selector]

    /// Creates a variant from its fields.
    package init(_ selectors: [Selector] = []) { self.selectors = selectors.sorted { $0.name < $1.name } }

    /// The fields and values as text. Different variants have different texts, so a store may use it as a key.
    package var text: String {
        selectors.map { selector in
            selector.value.map { "\(selector.name):\($0.utf8.count):\($0)" } ?? "\(selector.name)-"
        }.joined(separator: "\n")
    }
}
