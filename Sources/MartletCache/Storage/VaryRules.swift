/// Selects the stored responses that match a request's fields (RFC 9111 §4.1).
enum VaryRules {
    /// Returns the names in `Vary` in lower case. Nil for `*` or an invalid name, which no request matches.
    static func names(_ headers: HTTPFields) -> [String]? {
        var names: Set<String> = []
        for value in headers.values(for: .vary) {
            for part in value.split(separator: ",") {
                let name = part.trimmingWhitespace
                guard name != "*", name.utf8.allSatisfy(Token.contains) else { return nil }
                if !name.isEmpty { names.insert(name.lowercased()) }
            }
        }
        return names.sorted()
    }

    /// Returns the selecting fields of a response with the request's values. Nil if it matches no other request.
    static func variant(of request: HTTPFields, for response: HTTPFields) -> CacheVariant? {
        names(response).map { variant(of: request, names: $0) }
    }

    /// Returns a request's normalised values for some fields.
    static func variant(of request: HTTPFields, names: [String]) -> CacheVariant {
        guard !names.isEmpty else { return CacheVariant() }
        return CacheVariant(names.map { CacheVariant.Selector(name: $0, value: normalised($0, in: request)) })
    }

    /// Whether a request matches the selecting fields of a stored response.
    static func fits(_ response: StoredResponse, _ request: HTTPFields) -> Bool {
        response.variant.selectors.allSatisfy { selector in
            CacheVariant.Selector(name: selector.name, value: normalised(selector.name, in: request)) == selector
                || selector.name == "accept-language" && isPreferredLanguage(response.headers, request)
        }
    }

    /// Returns a field's value without insignificant differences (RFC 9111 §4.1): white space around commas, and for `Accept-Language`,
    /// `Accept-Encoding` and `Accept-Charset` also empty members, case, and the order of equal preferences. The value of a field that may
    /// identify the user is replaced by a digest.
    static func normalised(_ name: String, in request: HTTPFields) -> String? {
        let name = HTTPFieldName(name)
        let values = request.values(for: name)
        guard !values.isEmpty else { return nil }
        if request.isCredential(name) { return digest(of: request.bytes(for: name).joined(separator: [0x0A])) }
        let members = values.flatMap(\.listMembers)
        if request.isPersonal(name) { return digest(of: Array(members.joined(separator: ", ").utf8)) }
        switch name {
        case .acceptLanguage, .acceptEncoding, "Accept-Charset":
            return preferences(members.filter { !$0.isEmpty }).map(\.text).joined(separator: ", ")
        default: return members.joined(separator: ", ")
        }
    }

    private static func digest(of bytes: some Sequence<UInt8>) -> String { "sha-256 " + Hex.text(SHA2<UInt32>.digest(of: bytes)) }

    private struct Preference {
        let text: String
        let value: Substring
        let weight: Double
    }

    /// Returns the members by descending preference.
    private static func preferences(_ members: [String]) -> [Preference] {
        members.map { member in
            let parts = member.lowercased().split(separator: ";").map { $0.trimmingWhitespace }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            // NaN would break the sort order.
            let isWeight = (0...1).contains(weight)
            return Preference(text: parts.joined(separator: ";"), value: parts.first ?? "", weight: isWeight ? weight : 1)
        }.sorted { ($1.weight, $0.text) < ($0.weight, $1.text) }
    }

    /// Whether the response is in the one language that the request prefers most.
    private static func isPreferredLanguage(_ response: HTTPFields, _ request: HTTPFields) -> Bool {
        guard let language = response[.contentLanguage]?.trimmingWhitespace.lowercased(), !language.isEmpty else { return false }
        let preferred = preferences(request.values(for: .acceptLanguage).flatMap(\.listMembers).filter { !$0.isEmpty })
        guard let first = preferred.first, first.weight > 0, preferred.dropFirst().allSatisfy({ $0.weight < first.weight }) else {
            return false
        }
        return first.value == language
    }
}

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

        /// Compares the values by bytes, by which the server selects a response.
        package static func == (left: Self, right: Self) -> Bool {
            guard left.name == right.name else { return false }
            return switch (left.value, right.value) {
            case (let first?, let second?): first.hasSameBytes(as: second)
            case (nil, nil): true
            default: false
            }
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
