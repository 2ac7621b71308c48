public import MartletEssentials

/// The items of a captured request's query or form, decoded, in the order in which they were sent.
///
/// ```swift
/// #expect(request.query["page"] == "2")
/// #expect(request.query.values(for: "tag") == ["a", "b"])
/// #expect(request.form == ["user": "ada", "password": "s3cret"])
/// ```
///
/// Two collections are equal if they have the same items, in any order. Descriptions mask values whose names indicate a secret.
public struct RequestItems: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral, Equatable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable, RedactedReflection
{
    /// The text of the query or form as it was sent, percent-encoded, or nil if the request has none.
    public let encoded: String?
    private let items: [URLQueryItem]

    /// Reads a query or form (the WHATWG's application/x-www-form-urlencoded): a `+` is a space, and malformed escapes stay unchanged.
    package init(encoded: String?) {
        self.encoded = encoded
        items = PercentEncoding.formPairs(encoded ?? "").map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    /// The value of the first item with this name, or nil if there is none. The value of an item without an equals sign is empty.
    public subscript(name: String) -> String? { items.first { $0.name == name }.map { $0.value ?? "" } }

    /// Returns the values of all items with this name, in order.
    public func values(for name: String) -> [String] { items.filter { $0.name == name }.map { $0.value ?? "" } }

    /// The index of the first item.
    public var startIndex: Int { 0 }
    /// The index after the last item.
    public var endIndex: Int { items.count }
    /// The item at an index, from 0.
    public subscript(index: Int) -> URLQueryItem { items[index] }

    /// Creates items to compare with, from names and decoded values. A name may occur twice.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }

    init(_ pairs: some Collection<(String, String)>) {
        let items = pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
        self.items = items
        encoded = items.map { "\(PercentEncoding.escapeForm($0.name))=\(PercentEncoding.escapeForm($0.value ?? ""))" }.joined(
            separator: "&")
    }

    /// Returns whether both have the same items, in any order.
    public static func == (left: Self, right: Self) -> Bool { left.sortedItems == right.sortedItems }

    private var sortedItems: [URLQueryItem] { items.sorted { ($0.name, $0.value ?? "") < ($1.name, $1.value ?? "") } }

    /// The items sorted and masked, in one line.
    var sortedText: String { sortedItems.map(\.redactedText).joined(separator: "&") }

    /// The items in their order, decoded and with secrets masked, such as `user=ada&password=‹redacted›`.
    public var description: String { Redaction.line(items.map(\.redactedText).joined(separator: "&"), limit: 8000) }
}

extension URLQueryItem {
    /// `name=value`, with a secret's value hidden.
    package var redactedText: String {
        guard let value else { return name }
        return "\(name)=\(Redaction.isSecret(name) ? Redaction.mask : value)"
    }
}
