public import MartletEssentials

/// A request as a test compares it, with the method, URL, header fields and body that `MockTransport`, `MockServer` or a recording
/// captured.
///
/// Its description is suitable for golden files: see ``description``.
public struct RequestSnapshot: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The request method.
    public var method: HTTPMethod
    /// The percent-encoded URL as it was sent, for a request captured by a server without scheme and host, such as `/users?page=2`.
    public var url: String
    /// The header fields, with order and duplicates.
    public var headers: HTTPFields
    /// The body, or empty data if the request has none.
    public var body: Data

    /// Creates a request from its parts, for example to compare it with a captured one.
    public init(method: HTTPMethod = .get, url: String, headers: HTTPFields = [:], body: Data = Data()) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The path and query as sent, percent-encoded, such as `/users/1?page=2`, never empty.
    public var target: String { TargetURI.originForm(of: url) }

    /// The host and, if the URL has one, the port, such as `api.example.com:8080`, or nil. For a request captured by a server, the value of
    /// `Host`.
    public var authority: String? {
        guard let mark = url.firstRange(of: "://"), url[..<mark.lowerBound].allSatisfy({ $0.isLetter }) else { return headers[.host] }
        return String(url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// The request as text for comparison with a golden file, with the method and URL, the fields sorted by name, and the body. Secrets are
    /// masked.
    ///
    /// ```text
    /// POST https://api.example.com/users?page=2
    /// accept: application/json
    /// authorization: ‹redacted›
    /// content-type: application/json
    ///
    /// {
    ///   "name": "Ada"
    /// }
    /// ```
    ///
    /// JSON is printed on several lines with sorted keys and unchanged numbers, a form with one line for each field, other text unchanged,
    /// and other bodies as size and CRC-32. Secrets are masked: credentials, and fields, query items and members with secret names.
    public var description: String {
        var lines = ["\(Redaction.line(method.rawValue, limit: 40)) \(Redaction.address(url, limit: 8000))"]
        lines += headers.map { "\($0.name.canonicalName): \($0.isCredential ? Redaction.mask : Redaction.line($0.value, limit: 8000))" }
            .enumerated().sorted { ($0.element.fieldName, $0.offset) < ($1.element.fieldName, $1.offset) }.map(\.element)
        return (lines + (body.isEmpty ? [] : ["", bodyText])).joined(separator: "\n")
    }

    /// The body with the secrets of its parts masked, or nil if it is not text.
    private var shownText: String? {
        String(validUTF8: CassetteRedaction.standard.body(body, type: headers[.contentType] ?? "", isAnswer: false))
    }

    private var bodyText: String {
        let type = headers[.contentType].flatMap { MediaType($0) }
        if type?.isJSON ?? true, let json = try? JSONNode(parsing: body, limits: .redaction) {
            return Redaction.text(JSONText.pretty(json))
        }
        guard let text = shownText else {
            return "\(body.count) bytes, CRC-32 \(String(body.withUnsafeBytes { CRC32.of($0) }, radix: 16))"
        }
        guard type?.essence == "application/x-www-form-urlencoded" else { return text.withVisibleControls }
        return RequestItems(encoded: text).map { Redaction.line($0.redactedText, limit: 8000) }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var fieldName: Substring { prefix { $0 != ":" } }

    /// The text with visible control characters except line endings and tabs, so that printing it can't move a terminal's cursor.
    fileprivate var withVisibleControls: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || (0x7F..<0xA0).contains(scalar.value)
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}
