extension HTTPFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The lines as `Name: value`, with the values of credentials redacted. Limited to the first lines if there are very many.
    public var description: String {
        var text = ""
        for (index, field) in enumerated() {
            if text.utf8.count > HTTPFields.longestText { return text + ", and \(count - index) more" }
            text += (text.isEmpty ? "" : ", ") + field.description
        }
        return text
    }

    private static let longestText = 4_000
}

extension HTTPField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The line as `Name: value`, with the value of a credential redacted.
    public var description: String {
        "\(Redaction.line(name.rawName, limit: 60)): \(isCredential ? Redaction.mask : Redaction.line(value))"
    }
}
