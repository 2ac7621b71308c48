public import MartletEssentials

/// A link from one resource to another, from a `Link` field (RFC 8288).
///
/// ```swift
/// let links = WebLink.read("</users?page=2>; rel=\"next\"", from: url)
/// links.first { $0.isRelated(as: "next") }?.url
/// ```
public struct WebLink: Sendable, Hashable {
    /// The target as received, a URI reference that may be relative.
    public let target: String
    /// The target resolved against the URL of the response (RFC 3986 §5), or nil if it is not a valid URL. Nil also if the target is
    /// relative and the URL of the response is not known.
    public let url: URL?
    /// The relations of the target to the context, in lower case, such as `["next"]`. Only the first `rel` parameter counts (RFC 8288
    /// §3.3).
    public let relations: [String]
    /// The context of the link from its `anchor` parameter (RFC 8288 §3.2), resolved if possible, or nil without the parameter.
    ///
    /// Without the parameter, the context is the resource of the response.
    public let anchor: String?
    /// The parameters in order. Names are in lower case, values unquoted and, for names with a star (`title*`), decoded (RFC 8187).
    public let parameters: [Parameter]
    /// Whether the link's context is the resource of the response: there is no anchor, or it refers to that resource.
    public let isOwn: Bool

    /// A parameter of a link, such as `title=Next`.
    public typealias Parameter = FieldParameter

    /// Returns whether the link has this relation. Relations are compared without regard to case (RFC 8288 §2.1.1, §2.1.2).
    public func isRelated(as relation: String) -> Bool { relations.contains { $0.equalsIgnoringCase(relation) } }

    /// The value of the first parameter with this name, or nil.
    public subscript(name: String) -> String? { parameters.first(named: name) }

    /// The title of the target for people (`title*`, otherwise `title`), or nil (RFC 8288 §3.4.1).
    public var title: String? { self["title*"] ?? self["title"] }

    /// The media type that the target is expected to have, or nil if the link does not say.
    public var type: MediaType? { self["type"].flatMap { MediaType($0) } }

    /// Returns the links in the value of a `Link` field, in order. Malformed links are ignored without affecting the others. Takes linear
    /// time.
    ///
    /// - Parameters:
    ///   - value: The value of a `Link` field.
    ///   - base: The URL of the response, against which targets and anchors are resolved. Default: nil.
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
        // An empty reference is the same document (RFC 3986 §4.4).
        if reference.isEmpty { return base.map(URLReference.withoutFragment) }
        if let base { return URLReference.resolve(reference, against: base) }
        return URLReference.absolute(reference)
    }

    private static func relations(in value: String) -> [String] {
        var seen: Set<String> = []
        return value.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }.filter { seen.insert($0).inserted }
    }
}

/// Reads the value of a `Link` field (RFC 8288 §3, with the tolerance of its appendix B.2) in linear time.
struct LinkReader {
    struct Found {
        let target: String
        let parameters: [WebLink.Parameter]
    }

    // A quote without an end must not consume the links after it.
    private var reader: FieldReader

    init(_ text: some StringProtocol) { reader = FieldReader(text, openQuote: .isCharacter) }

    /// Returns the next well-formed link, or nil at the end.
    mutating func next() -> Found? {
        while !reader.isAtEnd {
            reader.skip { Token.isWhitespace($0) || $0 == FieldReader.comma }
            if reader.skip(UInt8(ascii: "<")) {
                if let target = target() { return Found(target: target, parameters: parameters()) }
            } else {
                reader.skipElement { $0 == FieldReader.comma }
            }
        }
        return nil
    }

    /// The text between the angle brackets. Nil if another one opens before it closes.
    private mutating func target() -> String? {
        let target = reader.text { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
        return reader.skip(UInt8(ascii: ">")) ? target : nil
    }

    private mutating func parameters() -> [WebLink.Parameter] {
        var found: [WebLink.Parameter] = []
        while true {
            reader.skip(while: Token.isWhitespace)
            guard reader.skip(FieldReader.semicolon) else {
                // A malformed parameter makes the rest of the link malformed.
                reader.skipElement { $0 == FieldReader.comma }
                return found
            }
            if let parameter = parameter() { found.append(parameter) }
        }
    }

    /// Reads `name`, `name=token` or `name="quoted string"`. Nil for empty parameters (`;;`) and malformed ones.
    private mutating func parameter() -> WebLink.Parameter? {
        let isEnd = { (byte: UInt8) in byte == FieldReader.semicolon || byte == FieldReader.comma }
        let parameter = reader.parameter { name, reader in
            let value = reader.quoted { $0.text { !isEnd($0) } }
            return name.hasSuffix("*") ? value.flatMap(ExtendedValue.decode) : value
        }
        if let parameter, let value = parameter.value { return WebLink.Parameter(name: parameter.name, value: value) }
        guard !reader.skipElement(before: isEnd), let parameter else { return nil }
        return WebLink.Parameter(name: parameter.name, value: "")
    }
}
