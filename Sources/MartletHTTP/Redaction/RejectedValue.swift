/// The members by which an error of validation says where a value was found and repeats it, as in
/// `{"loc": ["body", "password"], "msg": "too short", "input": …}` of FastAPI.
///
/// Pydantic, Django, Spring, JSON:API, zod, Joi, class-validator and others have this form, with different names. What the user typed is a
/// secret if a part of its location has the name of one. HAR and forms as JSON (`{"name": "password", "value": …}`) and JSON Patch
/// (RFC 6902) have it too.
enum RejectedValue {
    /// Returns what a member with this name is, in any case and with any separators. Each byte is read once.
    static func kind(of name: some Sequence<UInt8>) -> WordAutomaton.Kinds {
        var state = WordAutomaton.start
        for byte in name where !isSeparator(byte) {
            state = words.state(spelling: state, Token.lowercased(byte))
        }
        return words.whole(state)
    }

    /// Whether names have the byte between words, or templates around them: `rejected_value`, `{{ value }}`.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
    }

    /// Whether a part of a path names a secret: `password`, `user.password`, `/data/attributes/password`, `#/password`.
    static func namesSecret(_ path: ArraySlice<UInt8>, _ rules: Redactor) -> Bool {
        path.count > SecretNames.maxLength || path.split(separator: UInt8(ascii: "/")).contains { rules.isSecret($0, isMember: false) }
    }

    private static let words = WordAutomaton(
        locations.map { ($0, .location) } + values.map { ($0, .value) } + details.map { ($0, .details) })

    private static let locations = [
        "argument", "argumentname", "attr", "attribute", "column", "datapath", "element", "field", "fieldname", "header",
        "instancepath", "key", "loc", "location", "member", "name", "param", "parameter", "path", "pointer", "property",
        "propertyname", "propertypath", "source", "target", "variable",
    ]
    private static let values = [
        "actual", "attemptedvalue", "badvalue", "currentvalue", "data", "entered", "found", "given", "got", "input", "inputvalue",
        "invalidvalue", "propertyvalue", "provided", "rawvalue", "received", "rejectedvalue", "submitted", "value", "values",
    ]
    private static let details = [
        "context", "ctx", "details", "error", "extensions", "formattedmessageplaceholdervalues", "issue", "meta", "parameters", "params",
        "rejected",
    ]
}

extension WordAutomaton.Kinds {
    /// A member that says where the value beside it was found.
    static let location = Self(rawValue: 1)
    /// A member with the value that was found.
    static let value = Self(rawValue: 2)
    /// A member with an object that describes the error.
    static let details = Self(rawValue: 4)
}
