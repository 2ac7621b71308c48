/// Header fields in a HAR: a list of names and values as text.
enum HARFields {
    /// The charset noted beside a value that was not UTF-8. Each of its characters stands for one byte.
    static let latin1 = "ISO-8859-1"

    /// Returns a list of fields with their values redacted.
    static func written(_ fields: HTTPFields, _ redaction: CassetteRedaction) -> JSONValue {
        var isLatin1: [Bool] = []
        fields.forEachLineOfBytes { isLatin1.append(String(validUTF8: $1) == nil) }
        var list: [JSONValue] = []
        for (field, isLatin1) in zip(fields, isLatin1) {
            let value = redaction.value(of: field)
            var item: JSONObject = ["name": .string(field.name.rawName), "value": .string(value)]
            // A redacted value no longer has the field's bytes.
            if isLatin1, value == field.value { item["_charset"] = .string(latin1) }
            list.append(.object(item))
        }
        return .array(JSONArray(list))
    }
}
