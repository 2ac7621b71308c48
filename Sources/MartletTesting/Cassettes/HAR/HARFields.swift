/// Fields in a HAR: a list of names and values, which are texts there.
enum HARFields {
    /// What is said beside a value that was not UTF-8: each of its characters stands for one byte.
    static let latin1 = "ISO-8859-1"

    /// The fields of a list. HTTP/2's pseudo fields (`:method`) are left out: they are no fields.
    ///
    /// Browsers write the lines of one name as one value with line breaks; they become lines again. A name or value that could inject a
    /// line of another name is an error.
    static func read(_ list: [HARMember]) throws(HARError) -> HTTPFields {
        var fields: HTTPFields = [:]
        for element in list {
            let name = try element.required("name").text()
            if name.hasPrefix(":") { continue }
            guard HTTPFieldName(name).isValid else { throw try element.required("name").wrong("not the name of a field") }
            guard let value = try element.optional("value") else {
                fields.append(nameBytes: name.utf8, valueBytes: [])
                continue
            }
            let isLatin1 = try element.text("_charset")?.equalsIgnoringCase(latin1) ?? false
            guard let bytes = isLatin1 ? try value.text().latin1Bytes : Array(try value.text().utf8) else {
                throw value.wrong("not ISO-8859-1, which its _charset says it is")
            }
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: bytes.contains(UInt8(ascii: "\n"))) {
                guard line.allSatisfy(Token.isFieldContent) else { throw value.wrong("a control character in the value of a field") }
                fields.append(nameBytes: name.utf8, valueBytes: line)
            }
        }
        return fields
    }

    /// The fields of an answer without what they say of the wire and not of the content that the recording has.
    ///
    /// What this package recorded was said by a transport, which has undone the codings; what others recorded came from the wire.
    static func describing(
        _ answer: RecordedExchange.Answer, _ headers: HTTPFields, to method: HTTPMethod, isOurs: Bool
    ) -> HTTPFields {
        // Without content they say what there would be.
        if method == .head || answer.status.forbidsContent { return headers }
        var headers = headers
        if !isOurs {
            headers.remove("Transfer-Encoding")
            headers.remove(.contentEncoding)
        }
        if let count = answer.body.bytes?.count, headers[.contentLength] != "\(count)" { headers.remove(.contentLength) }
        return headers
    }

    /// Returns whether a response's content coding was removed before its content was recorded: the wire fields name a coding other than
    /// `identity`, and the described fields do not.
    static func isDecoded(_ wire: HTTPFields, to described: HTTPFields) -> Bool {
        guard let coding = wire[.contentEncoding], !described.contains(.contentEncoding) else { return false }
        return coding.split(separator: ",").contains { !$0.trimmingWhitespace.equalsIgnoringCase("identity") }
    }

    /// A list of fields, each value through `redaction`.
    static func written(_ fields: HTTPFields, _ redaction: CassetteRedaction) -> JSONValue {
        var isLatin1: [Bool] = []
        fields.forEachLineOfBytes { isLatin1.append(String(validUTF8: $1) == nil) }
        var list: [JSONValue] = []
        for (field, isLatin1) in zip(fields, isLatin1) {
            let value = redaction.value(of: field)
            var item: JSONObject = ["name": .string(field.name.rawName), "value": .string(value)]
            // A hidden value no longer has the field's bytes.
            if isLatin1, value == field.value { item["_charset"] = .string(latin1) }
            list.append(.object(item))
        }
        return .array(JSONArray(list))
    }
}
