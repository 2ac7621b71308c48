#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What is hidden in a recording before it is written. A cassette ends up in a repository, and what is in a repository is public.
///
/// ```swift
/// RecordingOptions(redacting: .standard.hiding("email", "iban"))
/// RecordingOptions(redacting: .standard.replacing { $0.replacing("Ada", with: "somebody") })
/// ```
///
/// ``standard`` hides
/// - the values of `Authorization`, `Proxy-Authorization`, of fields for keys and tokens, of those marked with `markAsCredential`, and of
///   those whose name says that they are secret;
/// - the values of `Cookie` and `Set-Cookie`; names and attributes stay;
/// - user and password of URLs, and in queries, forms, multipart forms and JSON whatever is named like a secret: `token`, `password`,
///   `session`, `signature` and their kin, on every level, also in JSON within a string of JSON;
/// - in other texts what looks like such a name with its value.
///
/// In an answer a hidden string becomes `‹redacted›`, a number 0 and a truth value false, so that it is still decoded; null and an empty
/// string stay. A replay takes anything where a request has `‹redacted›`.
///
/// It **can't see** into what is not text: images, archives, compressed or encrypted bodies, base64 within a member with a harmless name.
/// Nor does it know names of your own, or secrets in prose. Say them with ``hiding(_:)`` and ``replacing(_:)``, and look at what you commit.
public struct CassetteRedaction: Sendable {
    private var names: Set<String> = []
    private var replacements: [@Sendable (String) -> String] = []
    private let isStandard: Bool

    private init(isStandard: Bool) { self.isStandard = isStandard }

    /// Hides what is known to be secret, or named like it.
    public static var standard: Self { Self(isStandard: true) }

    /// Hides nothing: passwords, tokens and cookies are written as they are. For files that never leave the machine.
    public static var writingSecrets: Self { Self(isStandard: false) }

    /// And whatever has one of these names: fields, query items, form fields, members of JSON. Compared without case.
    public func hiding(_ names: String...) -> Self { hiding(names) }

    /// And whatever has one of these names: fields, query items, form fields, members of JSON. Compared without case.
    public func hiding(_ names: [String]) -> Self {
        var redaction = self
        redaction.names.formUnion(names.map { $0.lowercased() })
        return redaction
    }

    /// And what `replace` takes out of each text: URLs, values of fields, bodies that are text, explanations of errors.
    ///
    /// It is called after the rest, with the text that would be written; JSON must stay JSON.
    public func replacing(_ replace: @escaping @Sendable (String) -> String) -> Self {
        var redaction = self
        redaction.replacements.append(replace)
        return redaction
    }

    // MARK: URLs and fields

    /// The mask where only the characters of URLs may stand.
    package static let maskInURL = PercentEncoding.escapeForm(Redaction.mask)

    /// A URL without its fragment, which is not sent.
    package func url(_ text: String) -> String { replaced(address(String(text.prefix { $0 != "#" }))) }

    private func address(_ text: String) -> String {
        // Nothing is cut, though each mask may make it longer.
        let hidden = isStandard ? Redaction.address(text, limit: text.utf8.count * Redaction.mask.count + 1) : text
        let parts = hidden.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? "?" + pairs(parts[1]) : ""
        return (parts[0] + query).replacing(Redaction.mask, with: CassetteRedaction.maskInURL)
    }

    package func value(of field: HTTPField) -> String {
        replaced(hides(field.name.rawName) ? Redaction.mask : isStandard ? hiddenValue(of: field) : field.value)
    }

    private func hiddenValue(of field: HTTPField) -> String {
        switch field.name {
        case .cookie: return field.value.split(separator: ";").map { cookie($0.trimmingWhitespace) }.joined(separator: "; ")
        case .setCookie:
            let parts = field.value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            return cookie(parts.first ?? "") + (parts.count > 1 ? ";" + Redaction.text(parts[1]) : "")
        case "WWW-Authenticate", "Proxy-Authenticate": return challenges(field.value)
        case "Link": return Redaction.text(field.value).replacing(Redaction.mask, with: CassetteRedaction.maskInURL)
        case .location, .contentLocation, "Referer":
            let fragment = field.value.firstIndex(of: "#").map { field.value[$0...] } ?? ""
            // Implicit grants of OAuth have the token there.
            let hidden = Redaction.text(fragment).replacing(Redaction.mask, with: CassetteRedaction.maskInURL)
            return field.isCredential ? Redaction.mask : address(String(field.value.dropLast(fragment.count))) + hidden
        default: return field.isCredential ? Redaction.mask : Redaction.text(field.value)
        }
    }

    /// Challenges (RFC 9110 §11.6.1) of which a client still can read all but what is named like a secret.
    private func challenges(_ value: String) -> String {
        value.split(separator: ",", omittingEmptySubsequences: false).map { part in
            // The scheme is no sign that a token follows.
            let parameter = part.prefix { $0 != "=" && $0 != "\"" }.lastIndex(of: " ") ?? part.startIndex
            return part[..<parameter] + Redaction.text(part[parameter...])
        }.joined(separator: ",")
    }

    /// `name=value` with the value hidden; a word without a `=` may itself be the secret.
    private func cookie(_ pair: some StringProtocol) -> String {
        guard let mark = pair.firstIndex(of: "=") else { return Redaction.mask }
        return pair[pair.index(after: mark)...].isEmpty ? String(pair) : pair[...mark] + Redaction.mask
    }

    // MARK: Names and texts

    /// Whether whoever records asked for this name, which may be percent-encoded, to be hidden.
    func hides(_ name: some StringProtocol) -> Bool {
        !names.isEmpty && (names.contains(name.lowercased()) || names.contains(PercentEncoding.unescapedText(name).lowercased()))
    }

    /// Whether the value of a query item or form field is hidden.
    func hidesPair(_ name: some StringProtocol) -> Bool { hides(name) || isStandard && Redaction.isSecret(name) }

    /// Whether the value of a member of JSON is hidden. `code` and `key` are plain words there.
    func hidesMember(_ name: String) -> Bool {
        guard !hides(name) else { return true }
        return isStandard && Redaction.isSecret(name) && Redaction.text("\(JSONText.quoted(name)):1").hasSuffix("\"\(Redaction.mask)\"")
    }

    /// A text of which nothing is known.
    func text(_ text: String) -> String { isStandard ? Redaction.text(text) : text }

    /// The explanation of an error.
    package func words(_ words: String) -> String { replaced(text(words)) }

    func replaced(_ text: String) -> String { replacements.reduce(text) { $1($0) } }

    var isNothing: Bool { !isStandard && names.isEmpty && replacements.isEmpty }

    /// The pairs of a query or a form.
    func pairs(_ query: some StringProtocol) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let mark = pair.firstIndex(of: "="), pair.index(after: mark) < pair.endIndex else { return String(pair) }
            if hidesPair(pair[..<mark]) { return pair[...mark] + CassetteRedaction.maskInURL }
            let value = PercentEncoding.unescapedForm(pair[pair.index(after: mark)...])
            let hidden = text(value)
            return hidden == value ? String(pair) : pair[...mark] + PercentEncoding.escapeForm(hidden)
        }.joined(separator: "&")
    }
}
