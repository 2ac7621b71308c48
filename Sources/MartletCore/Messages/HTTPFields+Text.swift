extension HTTPFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The lines, `Name: value`, with the values of credentials hidden.
    public var description: String {
        map { "\($0.name.rawName): \($0.isSecret ? Redaction.mask : Redaction.quote($0.value))" }.joined(separator: ", ")
    }

    /// The same.
    public var debugDescription: String { description }

    /// Nothing to look into: `dump` shows no more than the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `Name: value`, with the value of a credential hidden.
    public var description: String { "\(name.rawName): \(isSecret ? Redaction.mask : Redaction.quote(value))" }

    /// The same.
    public var debugDescription: String { description }

    /// Nothing to look into: `dump` shows no more than the description.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether its value is hidden: it is a credential, gives one, or is called like one.
    package var isSecret: Bool { isCredential || name == .setCookie || Redaction.isSecret(name.rawName) }
}
