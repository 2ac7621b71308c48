/// What the name of a header field says about the user. One list for redirects, caches, coalescing and partial downloads.
enum FieldKind: Sendable, Equatable {
    /// The name indicates a credential (``HTTPFieldName/isAlwaysCredential``).
    case credential
    /// Nothing is known about the field, so it may be a credential, or identify the user.
    case unknown
    /// The field is neither a secret nor does it identify the user. `isPortable` is whether it is also sent to another origin.
    case harmless(isPortable: Bool)

    /// Creates the kind of a field from its name.
    init(_ name: ArraySlice<UInt8>) {
        if name.count < FieldKind.namesByLength.count,
            let known = FieldKind.namesByLength[name.count].first(where: { FieldKind.isPrefix($0.text, of: name) })
        {
            self = .harmless(isPortable: known.isPortable)
        } else if SecretNames.contains(String(decoding: name, as: UTF8.self)) {
            self = .credential
        } else if let known = FieldKind.prefixes.first(where: { FieldKind.isPrefix($0.text, of: name) }) {
            self = .harmless(isPortable: known.isPortable)
        } else {
            self = .unknown
        }
    }

    private struct Known: Sendable {
        let text: [UInt8]
        let isPortable: Bool
    }

    private static func isPrefix(_ prefix: [UInt8], of name: ArraySlice<UInt8>) -> Bool {
        name.count >= prefix.count && prefix.elementsEqual(name.prefix(prefix.count)) { $0 == Token.lowercased($1) }
    }

    private static let portableNames = [
        "accept", "accept-encoding", "accept-language", "content-length", "content-type", "if-modified-since", "if-none-match", "if-range",
        "range", "traceparent", "tracestate", "user-agent",
        // The fields of protocols that Martlet speaks, with which the target of a redirect continues the work.
        "apollo-require-preflight", "last-event-id", "tus-resumable", "upload-length", "upload-metadata", "upload-offset",
    ]
    private static let otherNames = [
        "cache-control", "idempotency-key", "origin", "pragma", "prefer", "referer", "x-correlation-id", "x-request-id",
        // A part of every key of its own, as the authority of the target.
        "host",
    ]
    private static let prefixes =
        ["accept-", "content-", "if-"].map { Known(text: Array($0.utf8), isPortable: true) }
        + ["tus-", "upload-"].map { Known(text: Array($0.utf8), isPortable: false) }

    /// The harmless names by their length.
    private static let namesByLength: [[Known]] = {
        let known =
            portableNames.map { Known(text: Array($0.utf8), isPortable: true) }
            + otherNames.map { Known(text: Array($0.utf8), isPortable: false) }
        let longest = known.map(\.text.count).max() ?? 0
        return (0...longest).map { length in known.filter { $0.text.count == length } }
    }()

    /// Whether the field may identify the user.
    fileprivate var isPersonal: Bool {
        switch self {
        case .credential, .unknown: true
        case .harmless: false
        }
    }
}

// What lines say about the user: credentials, lines that may identify the user, and lines that may be sent to another origin.

extension HTTPFields {
    /// Marks all lines with this name as credentials: they are not sent to another origin, and are redacted in logs, errors and recordings.
    ///
    /// Names that indicate a credential need no mark: see ``HTTPFieldName/isAlwaysCredential``.
    public mutating func markAsCredential(_ name: HTTPFieldName) {
        for index in lines.indices where matches(lines[index], name) { lines[index].isCredential = true }
    }

    /// Removes all credentials: marked lines, and lines whose name indicates a credential.
    public mutating func removeCredentials() {
        lines = lines.filter { kind(of: $0, naming: []) != .credential }
    }

    /// Marks all lines with this name as lines that do not identify the user, for fields that Martlet itself creates.
    package mutating func markAsHarmless(_ name: HTTPFieldName) {
        for index in lines.indices where matches(lines[index], name) { lines[index].isHarmless = true }
    }

    /// Removes the lines that must not be sent to an origin that another origin has chosen, which is every line that is not known to be
    /// harmless there. `Host` is one of them.
    ///
    /// - Parameter names: The names that the app declares as harmless.
    package mutating func removeAllButPortable(naming names: Set<HTTPFieldName>) {
        lines = lines.filter { kind(of: $0, naming: names) == .harmless(isPortable: true) }
    }

    /// Removes the lines that may identify the user.
    package mutating func removePersonal(naming names: Set<HTTPFieldName>) {
        lines = lines.filter { !kind(of: $0, naming: names).isPersonal }
    }

    /// Whether a line may identify the user.
    package func hasPersonal(naming names: Set<HTTPFieldName>) -> Bool {
        lines.contains { kind(of: $0, naming: names).isPersonal }
    }

    /// Whether a line with this name is a credential.
    package func isCredential(_ name: HTTPFieldName) -> Bool {
        lines.contains { matches($0, name) && kind(of: $0, naming: []) == .credential }
    }

    /// Whether a line with this name may identify the user.
    package func isPersonal(_ name: HTTPFieldName) -> Bool {
        lines.contains { matches($0, name) && kind(of: $0, naming: []).isPersonal }
    }

    /// Calls `body` with the bytes of each line that may identify the user, and whether it is a credential.
    func forEachPersonal(
        naming names: Set<HTTPFieldName>, _ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, _ isCredential: Bool) -> Void
    ) {
        for line in lines {
            let kind = kind(of: line, naming: names)
            if kind.isPersonal { body(bytes[line.name], bytes[line.value], kind == .credential) }
        }
    }

    /// Returns what a line says about the user: by its mark, by the app's declaration, or else by its name.
    private func kind(of line: Line, naming names: Set<HTTPFieldName>) -> FieldKind {
        if line.isCredential { return .credential }
        if !names.isEmpty {
            let name = HTTPFieldName(text(line.name))
            if names.contains(name), !HTTPFields.authentication.contains(name) { return .harmless(isPortable: true) }
        }
        let kind = FieldKind(bytes[line.name])
        return line.isHarmless && kind == .unknown ? .harmless(isPortable: false) : kind
    }

    /// The fields that are credentials by their definition, whatever the app declares.
    private static let authentication: [HTTPFieldName] = [.authorization, .proxyAuthorization, .cookie]
}
