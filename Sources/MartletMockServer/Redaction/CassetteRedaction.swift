internal import MartletEssentials

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
/// - in other texts what follows such a name: a quoted value, or the rest of the line. In XML and HTML, it hides the element whose tag has
///   the name; broken JSON with such a name is hidden whole.
///
/// In an answer a hidden string becomes `‹redacted›`, a number 0 and a truth value false, so that it is still decoded; null and an empty
/// string stay. A replay takes anything where a request has `‹redacted›`.
///
/// Bodies that are not text are written **as they are**, since a replay needs them: images, archives, compressed or encrypted bodies. Nor can
/// it see into base64 within a member with a harmless name.
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

    func redactor(_ style: Redactor.Style) -> Redactor { Redactor(names: names, isStandard: isStandard, style: style) }

    /// A URL without its fragment, which is not sent.
    package func url(_ text: String) -> String { replaced(redactor(.request).address(text.prefix { $0 != "#" })) }

    package func value(of field: HTTPField) -> String {
        let isNamed = redactor(.request).isNamed(field.name.rawName)
        return replaced(isNamed ? Redaction.mask : isStandard ? masked(field) : field.value)
    }

    private func masked(_ field: HTTPField) -> String {
        switch field.name {
        case .cookie: return field.value.split(separator: ";").map { cookie($0.trimmingWhitespace) }.joined(separator: "; ")
        case .setCookie:
            let parts = field.value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            return cookie(parts.first ?? "") + (parts.count > 1 ? ";" + text(String(parts[1])) : "")
        case _ where field.isCredential: return Redaction.mask
        case "WWW-Authenticate", "Proxy-Authenticate": return challenges(field.value)
        case .location, .contentLocation, "Referer": return redactor(.request).address(field.value)
        default: return text(field.value)
        }
    }

    /// Challenges (RFC 9110 §11.6.1) of which a client can still read all but the parameters with a secret name.
    private func challenges(_ value: String) -> String {
        var isHidden = false, isQuoted = false
        return value.split(separator: ",", omittingEmptySubsequences: false).compactMap { part in
            let goesOn = isQuoted
            if !part.unicodeScalars.count(where: { $0 == "\"" }).isMultiple(of: 2) { isQuoted.toggle() }
            if goesOn { return isHidden ? nil : text(String(part)) }
            let name = part.prefix { $0 != "=" }
            guard name.endIndex < part.endIndex else { return text(String(part)) }
            isHidden = redactor(.request).isSecret(name.split(separator: " ").last ?? "")
            return name + (isHidden ? "=" + Redaction.mask : text(String(part[name.endIndex...])))
        }.joined(separator: ",")
    }

    /// `name=value` with the value hidden; a word without a `=` may itself be the secret.
    private func cookie(_ pair: some StringProtocol) -> String {
        guard let mark = pair.firstIndex(of: "=") else { return Redaction.mask }
        return pair[pair.index(after: mark)...].isEmpty ? String(pair) : pair[...mark] + Redaction.mask
    }

    // MARK: Texts

    /// A text of which nothing is known.
    func text(_ text: String) -> String { redactor(.request).text(text) }

    /// The explanation of an error.
    package func words(_ words: String) -> String { replaced(text(words)) }

    func replaced(_ text: String) -> String { replacements.reduce(text) { $1($0) } }

    var isNothing: Bool { !isStandard && names.isEmpty && replacements.isEmpty }
}
