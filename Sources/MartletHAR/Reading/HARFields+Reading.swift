extension HARFields {
    /// Reads the fields of a list. Skips HTTP/2's pseudo-header fields (`:method`), which are not fields.
    ///
    /// Browsers join lines of one name with line breaks; they are separated again. A name or value that could inject a line of another name
    /// is an error.
    static func read(_ list: [HARMember]) throws(HARError) -> HTTPFields {
        var fields: HTTPFields = [:]
        for element in list {
            let name = try element.required("name").text()
            if name.hasPrefix(":") { continue }
            guard HTTPFieldName(name).isValid else { throw try element.required("name").wrong("not a valid field name") }
            guard let value = try element.optional("value") else {
                fields.append(nameBytes: name.utf8, valueBytes: [])
                continue
            }
            let isLatin1 = try element.text("_charset")?.equalsIgnoringCase(latin1) ?? false
            guard let bytes = isLatin1 ? try value.text().latin1Bytes : Array(try value.text().utf8) else {
                throw value.wrong("not ISO-8859-1, although its _charset says so")
            }
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: bytes.contains(UInt8(ascii: "\n"))) {
                guard line.allSatisfy(Token.isFieldContent) else { throw value.wrong("a control character in the value of a field") }
                fields.append(nameBytes: name.utf8, valueBytes: line)
            }
        }
        return fields
    }

    /// Returns the fields of a response without those that describe the encoding on the wire and not the recorded content.
    ///
    /// Recordings of this package contain the fields that a transport returned after decoding. Other recordings contain the fields as sent.
    static func describing(
        _ answer: RecordedExchange.Answer, _ headers: HTTPFields, to method: HTTPMethod, isOurs: Bool
    ) -> HTTPFields {
        // Without content, the fields say what it would be.
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
}
