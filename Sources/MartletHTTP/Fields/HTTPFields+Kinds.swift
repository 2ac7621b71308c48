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

extension FieldKind {
    /// Whether the field may identify the user.
    fileprivate var isPersonal: Bool {
        switch self {
        case .credential, .unknown: true
        case .harmless: false
        }
    }
}
