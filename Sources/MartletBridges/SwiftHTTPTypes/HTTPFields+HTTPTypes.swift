#if SwiftHTTPTypes
public import HTTPTypes
public import MartletHTTP

extension MartletHTTP::HTTPFields {
    /// Creates the same lines from fields of swift-http-types: each name in its case, each value byte for byte, repeated fields in order.
    ///
    /// All lines of a name are marked as credentials if one of them has the indexing strategy `disallow`. The other strategies, which only
    /// concern the compression of fields, are ignored.
    ///
    /// - Throws: `.invalidRequest` for a value that begins or ends with white space, which these fields never contain.
    public init(_ fields: HTTPTypes::HTTPFields) throws(HTTPError) {
        self.init()
        for field in fields {
            let isExact = field.withUnsafeBytesOfValue { value in
                append(nameBytes: field.name.rawName.utf8, valueBytes: value)
                return ![value.first, value.last].contains { $0.map(Token.isWhitespace) ?? false }
            }
            guard isExact else { throw .unconvertible(field.name.rawName, "its value begins or ends with white space") }
            if field.indexingStrategy == .disallow { markAsCredential(HTTPFieldName(field.name.rawName)) }
        }
    }

    /// Creates the fields of a request that is sent. HTTP/2 splits a `Cookie` into several lines (RFC 9113 §8.2.3), of which HTTP/1.1
    /// allows only one.
    init(sending fields: HTTPTypes::HTTPFields) throws(HTTPError) {
        try self.init(fields)
        let cookies = bytes(for: .cookie)
        guard cookies.count > 1 else { return }
        remove(.cookie)
        append(nameBytes: HTTPFieldName.cookie.rawName.utf8, valueBytes: Array(cookies.joined(separator: Array("; ".utf8))))
    }
}

extension HTTPTypes::HTTPFields {
    /// Creates the same lines from fields of Martlet: each name in its case, each value byte for byte, repeated fields in order.
    ///
    /// Lines that are marked as credentials have the indexing strategy `disallow`.
    ///
    /// - Throws: `.invalidRequest` for a name that is not a token, for a value with a line break or NUL, and for more than 65,534 lines,
    ///   which swift-http-types does not allow.
    public init(_ fields: MartletHTTP::HTTPFields) throws(HTTPError) {
        guard fields.count < UInt16.max else { throw .invalidRequest(Explanation("\(fields.count) fields are too many to convert")) }
        self.init()
        reserveCapacity(fields.count)
        var failure: HTTPError?
        fields.forEachLineOfBytes { bytes, value in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let name = HTTPTypes::HTTPField.Name(text) else {
                failure = failure ?? .unconvertible(text, "its name is not a token")
                return
            }
            guard !value.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) else {
                failure = failure ?? .unconvertible(text, "its value has a line break or NUL")
                return
            }
            append(HTTPTypes::HTTPField(name: name, lenientValue: value))
        }
        if let failure { throw failure }
        for index in indices where fields[index].isMarked { self[index].indexingStrategy = .disallow }
    }
}

extension HTTPError {
    /// The error of a field that the other package's fields can't contain. It does not show the value.
    fileprivate static func unconvertible(_ name: String, _ reason: String) -> HTTPError {
        .invalidRequest(Explanation("the field “\(Redaction.line(name, limit: 60))” can't be converted: \(reason)"))
    }
}
#endif
