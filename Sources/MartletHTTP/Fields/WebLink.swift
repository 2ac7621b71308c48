public import MartletEssentials

/// A link from one resource to another, as the field `Link` has it (RFC 8288).
///
/// ```swift
/// let links = WebLink.read("</users?page=2>; rel=\"next\"", from: url)
/// links.first { $0.isRelated(as: "next") }?.url
/// ```
public struct WebLink: Sendable, Hashable {
    /// The target as it was written: a URI reference.
    public let target: String
    /// The target, resolved against the URL that answered (RFC 3986 §5); nil when that is not known and the target is relative, or when
    /// the target is no URL.
    public let url: URL?
    /// How the target is related to the context, in lower case: `["next"]`. Of several `rel` only the first counts (RFC 8288 §3.3).
    public let relations: [String]
    /// Whose link it is, when it is not that of the resource that answered: a URI reference, resolved where that can be done
    /// (RFC 8288 §3.2).
    public let anchor: String?
    /// The parameters in order, names in lower case, values unquoted and, in those with a star (`title*`), decoded (RFC 8187).
    public let parameters: [Parameter]
    /// Whether the link's context is the resource that answered: there is no anchor, or it leads there.
    public let isOwn: Bool

    /// A parameter of a link: `title=Next`.
    public typealias Parameter = FieldParameter

    /// Whether it is a link of this relation; relations are compared without regard to case (RFC 8288 §2.1.1, §2.1.2).
    public func isRelated(as relation: String) -> Bool { relations.contains { $0.equalsIgnoringCase(relation) } }

    /// The value of a parameter, the first of its name; nil when there is none.
    public subscript(name: String) -> String? { parameters.first(named: name) }

    /// What the target is called, for people: `title*`, or else `title` (RFC 8288 §3.4.1).
    public var title: String? { self["title*"] ?? self["title"] }

    /// Which type the target is likely to have.
    public var type: MediaType? { self["type"].flatMap { MediaType($0) } }

    /// The links of a field's value, in order. What is malformed is left out, and costs no other link.
    ///
    /// Reading takes time in proportion to the value's length.
    /// - Parameter base: the URL that answered, against which targets and anchors are resolved. Default: nil.
    public static func read(_ value: some StringProtocol, from base: URL? = nil) -> [WebLink] {
        var reader = LinkReader(value)
        var links: [WebLink] = []
        while let found = reader.next() { links.append(WebLink(found, base)) }
        return links
    }

    private init(_ found: LinkReader.Found, _ base: URL?) {
        target = found.target
        url = WebLink.resolved(found.target, base)
        parameters = found.parameters
        relations = found.parameters.first { $0.name == "rel" }.map { WebLink.relations(in: $0.value) } ?? []
        let anchor = found.parameters.first { $0.name == "anchor" }?.value
        let context = anchor.flatMap { WebLink.resolved($0, base) }
        self.anchor = anchor.map { context?.absoluteString ?? $0 }
        isOwn = anchor == nil || context != nil && context == base.map(URLReference.withoutFragment)
    }

    private static func resolved(_ reference: String, _ base: URL?) -> URL? {
        // The same document (RFC 3986 §4.4).
        if reference.isEmpty { return base.map(URLReference.withoutFragment) }
        if let base { return URLReference.resolve(reference, against: base) }
        return URL(string: reference).flatMap { $0.scheme == nil ? nil : $0 }
    }

    private static func relations(in value: String) -> [String] {
        var seen: Set<String> = []
        return value.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }.filter { seen.insert($0).inserted }
    }
}
