/// The rules for masking secrets: by names in URLs, forms and JSON, and with ``ProseMasking`` in other text.
struct Redactor: Sendable {
    /// The style of masks.
    enum Style: Sendable {
        /// For people: a secret value is replaced with one mask.
        case text
        /// For a recorded request: the values within a secret JSON value are replaced, and masks in URLs and forms are percent-encoded.
        case request
        /// Like `request`, and numbers become 0 and Boolean values false, so that the response can still be decoded.
        case response
    }

    private let names: Set<String>
    let isStandard: Bool
    let style: Style

    /// - Parameters:
    ///   - names: Additional secret names, in lower case.
    ///   - isStandard: Whether the standard list of secret names applies too.
    init(names: Set<String> = [], isStandard: Bool = true, style: Style = .text) {
        self.names = names
        self.isStandard = isStandard
        self.style = style
    }

    /// Whether the value with this name is a secret.
    func isSecret(_ name: some StringProtocol, isMember: Bool = false) -> Bool {
        isNamed(name) || isStandard && Redaction.isSecret(name, isMember: isMember)
    }

    func isSecret(_ name: ArraySlice<UInt8>, isMember: Bool) -> Bool {
        !names.isEmpty && isNamed(String(decoding: name, as: UTF8.self)) || isStandard && SecretNames.contains(name, isMember: isMember)
    }

    /// Whether a name, which may be percent-encoded, is one of the additional names.
    func isNamed(_ name: some StringProtocol) -> Bool {
        guard !names.isEmpty else { return false }
        return names.contains(name.lowercased())
            || names.contains(String(decoding: PercentEncoding.unescape(name), as: UTF8.self).lowercased())
    }

    // MARK: Texts

    /// Returns a text with its secrets masked: JSON by the names of its members, and other text as prose.
    ///
    /// - Parameters:
    ///   - isCut: Whether the text is truncated, so that names after the end may declare earlier values secret.
    ///   - limit: The number of code points that are shown. The rest may be left out, and is then not read.
    func text(_ text: some StringProtocol, isCut: Bool = false, limit: Int = .max) -> String {
        masked(text, limit) { $0.text($1, isCut: isCut) } ?? ""
    }

    /// Returns a form with secret values masked (WHATWG URL §5.1). See ``text(_:isCut:limit:)`` for the limit.
    func form(_ text: String, limit: Int = .max) -> String { masked(text, limit) { $0.form($1) } ?? "" }

    /// Returns a URL or a part of one, with user, password and secret values masked.
    func address(_ text: some StringProtocol) -> String { masked(text, .max) { $0.address($1) } ?? "" }

    /// Returns JSON with the values of secret members masked and all other bytes unchanged. Nil if the text is not JSON. See
    /// ``text(_:isCut:limit:)`` for the limit.
    func json(_ text: String, limit: Int = .max) -> String? { masked(text, limit) { $0.json($1) } }

    private func masked(_ text: some StringProtocol, _ limit: Int, by mask: (Masking, ArraySlice<UInt8>) -> [UInt8]?) -> String? {
        let bytes = Array(text.utf8), budget = MaskingBudget(bytes: bytes.count)
        // One code point more than is shown, so that the text is known to be longer. Each has at most four bytes.
        let masking = Masking(rules: self, budget: budget, limit: limit < .max / 8 ? (limit + 1) * 4 : .max)
        let masked = mask(masking, bytes[...])
        MaskingSteps.counter?.add(budget.steps)
        return masked == bytes ? String(text) : masked.map { String(decoding: $0, as: UTF8.self) }
    }
}
