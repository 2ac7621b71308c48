internal import MartletEssentials

/// The rules by which secrets in a recording are masked before it is written.
///
/// Recordings are often committed to repositories, where others can read them.
///
/// ```swift
/// RecordingOptions(redacting: .standard.hiding("email", "iban"))
/// RecordingOptions(redacting: .standard.replacing { $0.replacing("Ada", with: "‹name›") })
/// ```
///
/// ``standard`` masks
/// - the values of `Authorization` and `Proxy-Authorization`, of fields for keys and tokens, of fields marked with `markAsCredential`, and
///   of fields with secret names;
/// - the values of `Cookie` and `Set-Cookie`, but not names and attributes;
/// - user and password of URLs, and in queries, forms, multipart forms and JSON the values with secret names such as `token`, `password`,
///   `session` and `signature`, on every level and in JSON within a JSON string;
/// - in other texts the text after such a name: a quoted value, or the rest of the line. In XML and HTML, it masks the element whose tag
///   has the name. Broken JSON with such a name is masked completely.
///
/// In a response, a masked string becomes `‹redacted›`, a number 0 and a Boolean false, so that the response can still be decoded. Null and
/// empty strings are kept. In a replay, `‹redacted›` in a request matches any value.
///
/// Text without a structure is read up to 1 MiB, and the rest of it is masked.
///
/// Bodies that are not text are written **unchanged**, because a replay needs them: images, archives, compressed or encrypted bodies.
/// Base64 in a member with a harmless name is not decoded. Your own names and secrets in prose are not recognised. Declare them with
/// `hiding(_:)` and ``replacing(_:)``, and check recordings before you commit them.
public struct CassetteRedaction: Sendable {
    private var names: Set<String> = []
    private var replacements: [@Sendable (String) -> String] = []
    private let isStandard: Bool

    private init(isStandard: Bool) { self.isStandard = isStandard }

    /// Masks credentials, and values whose names indicate a secret, such as `token` and `password`.
    public static var standard: Self { Self(isStandard: true) }

    /// Masks nothing, so that passwords, tokens and cookies are written unchanged. For files that never leave the machine.
    public static var writingSecrets: Self { Self(isStandard: false) }

    /// Returns the redaction with additional names of header fields, query items, form fields and JSON members to mask. Case is ignored.
    public func hiding(_ names: String...) -> Self { hiding(names) }

    /// Returns the redaction with additional names of header fields, query items, form fields and JSON members to mask. Case is ignored.
    public func hiding(_ names: [String]) -> Self {
        var redaction = self
        redaction.names.formUnion(names.map { $0.lowercased() })
        return redaction
    }

    /// Returns the redaction with a closure that replaces secrets in URLs, field values, text bodies and explanations of errors.
    ///
    /// It is called after all other masking, with the text to write. It must keep JSON valid.
    public func replacing(_ replace: @escaping @Sendable (String) -> String) -> Self {
        var redaction = self
        redaction.replacements.append(replace)
        return redaction
    }

    // MARK: URLs and fields

    /// The mask for places that allow only characters of URLs.
    package static let maskInURL = PercentEncoding.escapeForm(Redaction.mask)

    func redactor(_ style: Redactor.Style) -> Redactor { Redactor(names: names, isStandard: isStandard, style: style) }

    /// Returns a URL without its fragment, which is never sent.
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

    /// Returns challenges (RFC 9110 §11.6.1) that a client can still read, except for parameters with a secret name.
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

    /// Returns `name=value` with the value masked. A word without a `=` may be a secret itself and is masked.
    private func cookie(_ pair: some StringProtocol) -> String {
        guard let mark = pair.firstIndex(of: "=") else { return Redaction.mask }
        return pair[pair.index(after: mark)...].isEmpty ? String(pair) : pair[...mark] + Redaction.mask
    }

    // MARK: Texts

    /// Returns a text of unknown structure with secrets masked.
    func text(_ text: String) -> String { redactor(.request).text(text) }

    /// Returns the explanation of an error with secrets masked.
    package func words(_ words: String) -> String { replaced(text(words)) }

    func replaced(_ text: String) -> String { replacements.reduce(text) { $1($0) } }

    var isNothing: Bool { !isStandard && names.isEmpty && replacements.isEmpty }
}
