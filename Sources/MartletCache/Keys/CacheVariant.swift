/// What a response says it was chosen by: the request's fields that its `Vary` names, with their values (RFC 9111 §4.1).
package struct CacheVariant: Hashable, Sendable {
    /// One of the fields.
    package struct Selector: Hashable, Sendable {
        /// The field's name in lower case.
        package let name: String
        /// Its value, normalised; nil when the request did not have it.
        package let value: String?

        /// A field with its value.
        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in the order of their names. None when there is no `Vary`.
    package let selectors: [Selector]

    /// A variant by its fields.
    package init(_ selectors: [Selector] = []) { self.selectors = selectors.sorted { $0.name < $1.name } }

    /// The fields and values as one text, different for different variants: what a store may find a variant by.
    package var text: String {
        selectors.map { selector in
            selector.value.map { "\(selector.name):\($0.utf8.count):\($0)" } ?? "\(selector.name)-"
        }.joined(separator: "\n")
    }
}
