package import MartletEssentials

/// Writes exchanges as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), with secrets masked.
///
/// Custom members begin with `_`, as the format requires: `_error` and `_errorKind` for a missing response or a truncated body,
/// `_trailers`, `_incomplete` for a body whose reader stopped early, `_leftOut` for a body beyond the limit or not in memory, `_encoding`
/// for a request body that is not text, `_charset` for a field that is not UTF-8, `_wasContentCoded` for a response whose content coding
/// the transport decoded.
package struct HARWriting: Sendable {
    static let creator = "Martlet"
    static let version = "1.0"

    let redaction: CassetteRedaction
    let maxBodyBytes: Int

    package init(redaction: CassetteRedaction, maxBodyBytes: Int) {
        self.redaction = redaction
        self.maxBodyBytes = maxBodyBytes
    }

    /// Returns a complete file of entries that ``entry(_:finish:)`` has created.
    ///
    /// - Parameter calls: The calls of the entries, for the inspector's page, or nil for a recording that does not know them.
    package static func file(_ entries: [String], calls: [JSONValue]? = nil) -> Data {
        let list = entries.isEmpty ? "[]" : "[\n      " + entries.joined(separator: ",\n      ") + "\n    ]"
        let members = calls.map { ",\n    \"_calls\": " + JSONText.pretty(.array(JSONArray($0)), level: 2) } ?? ""
        return Data(
            """
            {
              "log": {
                "version": "1.2",
                "creator": {
                  "name": "\(creator)",
                  "version": "\(version)"
                },
                "pages": [],
                "entries": \(list)\(members)
              }
            }

            """.utf8)
    }

    /// Returns the text of one entry, indented as in the file. `finish` may change the members.
    package func entry(_ exchange: RecordedExchange, finish: (inout JSONObject) -> Void = { _ in }) -> String {
        var members: JSONObject = [
            "startedDateTime": .string(HARWriting.date(exchange.started)),
            "time": HARWriting.total(exchange.phases),
            "request": request(exchange),
            "response": response(exchange),
            "cache": .object([:]),
            "timings": HARWriting.timings(exchange.phases),
        ]
        if let address = exchange.remoteAddress { members["serverIPAddress"] = .string(address) }
        finish(&members)
        return JSONText.pretty(JSONValue.object(members), level: 3)
    }

    // MARK: Request

    private func request(_ exchange: RecordedExchange) -> JSONValue {
        let url = redaction.url(exchange.url)
        let query = url.firstIndex(of: "?").map { PercentEncoding.formPairs(url[url.index(after: $0)...]) } ?? []
        let cookieFields = exchange.headers.filter { $0.name == .cookie }
        var members: JSONObject = [
            "method": .string(exchange.method.rawValue),
            "url": .string(url),
            "httpVersion": .string(exchange.answer?.version?.rawValue ?? ""),
            "cookies": .array(JSONArray(cookieFields.flatMap(cookies))),
            "headers": HARFields.written(exchange.headers, redaction),
            "queryString": HARWriting.pairs(query),
        ]
        if let data = posted(exchange) { members["postData"] = .object(data) }
        members["headersSize"] = .integer(-1)
        members["bodySize"] = HARWriting.size(exchange.requestBody.size)
        return .object(members)
    }

    private func posted(_ exchange: RecordedExchange) -> JSONObject? {
        let type = exchange.headers[.contentType] ?? ""
        var members: JSONObject = ["mimeType": .string(type)]
        switch exchange.requestBody {
        case .bytes(let body) where body.isEmpty: return nil
        case .missing(let size):
            // Optional in the format, but some readers fail without it.
            members["text"] = .string("")
            members.add(leftOut(size))
        case .bytes(let body), .start(let body):
            let hidden = redaction.body(body, type: type, isAnswer: false)
            let isForm = MediaType(type)?.essence == "application/x-www-form-urlencoded"
            if isForm { members["params"] = HARWriting.pairs(PercentEncoding.formPairs(String(decoding: hidden, as: UTF8.self))) }
            members.add(HARContent.posted(hidden, type: type))
            members.add(incomplete(exchange.requestBody, "the transport stopped reading it here"))
        }
        return members
    }

    private func cookies(_ field: HTTPField) -> [JSONValue] {
        RequestCookies.pairs(redaction.value(of: field)).map { HARWriting.pair($0.name, $0.value) }
    }

    // MARK: Response

    private func response(_ exchange: RecordedExchange) -> JSONValue {
        let answer = exchange.answer
        let headers = answer?.headers ?? [:]
        let location = headers.first { $0.name == .location }.map(redaction.value(of:))
        let cookieFields = headers.filter { $0.name == .setCookie }
        var members: JSONObject = [
            "status": .integer(Int64(answer?.status.rawValue ?? 0)),
            "statusText": .string(answer?.status.reasonPhrase ?? ""),
            "httpVersion": .string(answer?.version?.rawValue ?? ""),
            "cookies": .array(JSONArray(cookieFields.map(setCookie))),
            "headers": HARFields.written(headers, redaction),
            "content": content(answer),
            "redirectURL": .string(location ?? ""),
            "headersSize": .integer(-1),
            "bodySize": HARWriting.size(headers[.contentLength].flatMap { Int($0) }),
        ]
        if let trailers = answer?.trailers, !trailers.isEmpty { members["_trailers"] = HARFields.written(trailers, redaction) }
        if answer?.wasContentCoded == true { members["_wasContentCoded"] = .bool(true) }
        if let failure = exchange.failure {
            let kind = RecordedFailure.kind(of: failure)
            let words = redaction.words(RecordedFailure.words(of: failure))
            members["_error"] = .string(words.isEmpty ? kind : words)
            members["_errorKind"] = .string(kind)
        }
        return .object(members)
    }

    private func content(_ answer: RecordedExchange.Answer?) -> JSONValue {
        let type = answer?.headers[.contentType] ?? ""
        // The text is optional in the format, but some readers fail without it.
        var members: JSONObject = ["size": .integer(0), "mimeType": .string(type), "text": .string("")]
        switch answer?.body {
        case .missing(let size):
            members["size"] = HARWriting.size(size)
            members.add(leftOut(size))
        case .bytes(let body), .start(let body):
            let hidden = redaction.body(body, type: type, isAnswer: true)
            members["size"] = HARWriting.size(hidden.count)
            members.add(HARContent.written(hidden, type: type))
            members.add(incomplete(answer?.body, "the reader stopped here"))
        case nil: break
        }
        return .object(members)
    }

    private func setCookie(_ field: HTTPField) -> JSONValue {
        let parts = redaction.value(of: field).split(separator: ";").map { $0.trimmingWhitespace }
        let cookie = parts.first.map { RequestCookies.pairs(String($0)) }?.first ?? ("", "")
        var members: JSONObject = ["name": .string(cookie.name), "value": .string(cookie.value)]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? String(pair[1]) : ""
            switch pair[0].lowercased() {
            case "path": members["path"] = .string(value)
            case "domain": members["domain"] = .string(value)
            case "httponly": members["httpOnly"] = .bool(true)
            case "secure": members["secure"] = .bool(true)
            default: break
            }
        }
        return .object(members)
    }

    // MARK: Parts

    private func leftOut(_ size: Int?) -> JSONObject {
        let count = size.map { "\($0) bytes" } ?? "bytes"
        let isShort = size.map { $0 <= maxBodyBytes } ?? false
        let reason = isShort ? " of a stream or file" : ", more than the recording's limit of \(maxBodyBytes)"
        return ["comment": .string("left out: " + count + reason), "_leftOut": .bool(true)]
    }

    private func incomplete(_ body: RecordedExchange.Body?, _ comment: String) -> JSONObject {
        guard case .start = body else { return [:] }
        return ["comment": .string(comment), "_incomplete": .bool(true)]
    }

    private static func pairs(_ items: [(name: String, value: String?)]) -> JSONValue {
        .array(JSONArray(items.map { pair($0.name, $0.value ?? "") }))
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue { .object(["name": .string(name), "value": .string(value)]) }

    /// A number of bytes, -1 if it is unknown.
    private static func size(_ count: Int?) -> JSONValue { .integer(Int64(count ?? -1)) }

    private static func timings(_ phases: RecordedExchange.Phases) -> JSONValue {
        .object([
            "blocked": milliseconds(phases.blocked), "dns": milliseconds(phases.lookup), "connect": milliseconds(phases.connect),
            "send": milliseconds(phases.send), "wait": milliseconds(phases.wait), "receive": milliseconds(phases.receive),
            "ssl": milliseconds(phases.tls),
        ])
    }

    /// The sum of the phases as they are written, with TLS as a part of connecting, as the format requires.
    private static func total(_ phases: RecordedExchange.Phases) -> JSONValue {
        let parts = [phases.blocked, phases.lookup, phases.connect, phases.send, phases.wait, phases.receive]
        return .number(parts.reduce(0) { $0 + ($1.map(microseconds) ?? 0) } / 1000)
    }

    /// A duration in milliseconds with at most three decimal places, -1 if it is unknown.
    private static func milliseconds(_ duration: Duration?) -> JSONValue {
        duration.map { .number(microseconds($0) / 1000) } ?? .integer(-1)
    }

    /// A duration in whole microseconds, 0 if it is out of range.
    private static func microseconds(_ duration: Duration) -> Double {
        let microseconds = (duration.milliseconds * 1000).rounded()
        return abs(microseconds) < 1e15 ? microseconds : 0
    }

    /// Returns a date in ISO 8601 with milliseconds and time zone.
    private static func date(_ date: Date) -> String {
        let whole = date.timeIntervalSince1970.rounded(.down)
        let thousandths = "\(Int((date.timeIntervalSince1970 - whole) * 1000))"
        let text = (try? JSONValue(encoding: Date(timeIntervalSince1970: whole)))?.stringValue ?? "1970-01-01T00:00:00Z"
        return "\(text.prefix { $0 != "Z" && $0 != "." }).\(String(repeating: "0", count: 3 - thousandths.count))\(thousandths)Z"
    }
}

/// The pairs of a `Cookie` field (RFC 6265 §5.4).
enum RequestCookies {
    static func pairs(_ value: String) -> [(name: String, value: String)] {
        value.split(separator: ";").map { pair in
            let parts = pair.trimmingWhitespace.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count > 1 ? (String(parts[0]), String(parts[1])) : ("", String(parts.first ?? ""))
        }
    }
}

extension JSONObject {
    /// Sets the members of another object.
    fileprivate mutating func add(_ other: JSONObject) {
        for (key, value) in other { self[key] = value }
    }
}

extension RecordedExchange.Body {
    /// The number of bytes, if it is known.
    var size: Int? {
        switch self {
        case .bytes(let data): data.count
        case .missing(let size): size
        case .start: nil
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Double { Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15 }
}

/// Bodies in a HAR: as text, or as base64 if they are not text.
enum HARContent {
    /// The name of the encoding of bodies that are not text.
    static let base64 = "base64"

    /// Returns the members of `content` for a body.
    static func written(_ body: Data, type: String) -> JSONObject {
        guard let text = text(of: body, type: type) else {
            return ["text": .string(body.base64EncodedString()), "encoding": .string(base64)]
        }
        return ["text": .string(text)]
    }

    /// Returns the members of `postData` for a body. The format has no member for bodies that are not text, hence `_encoding`.
    static func posted(_ body: Data, type: String) -> JSONObject {
        JSONObject(written(body, type: type).map { (key: $0.key == "encoding" ? "_encoding" : $0.key, value: $0.value) })
    }

    /// Returns the body as text. Nil if the text can't be converted back to the same bytes.
    private static func text(of body: Data, type: String) -> String? {
        guard let text = String(validUTF8: body) else { return nil }
        let isPlain = body.allSatisfy { $0 < 0x80 }
        return isPlain || !isLatin1(type) ? text : nil
    }

    /// Whether text of this type that is not marked as base64 stands for bytes: its charset is Latin-1, or the type is not a text type.
    /// Such types are written as text by mitmproxy if most of the bytes are readable.
    static func isLatin1(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        if let charset = type["charset"] { return latin1Names.contains(charset.lowercased()) }
        let isMedia = ["image", "audio", "video", "font"].contains(type.type) && !type.subtype.hasSuffix("xml")
        return isMedia || binaryTypes.contains(type.essence)
    }

    /// The names of Latin-1, and of the charset that browsers use instead.
    private static let latin1Names: Set = ["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii"]
    private static let binaryTypes: Set = ["application/octet-stream", "application/pdf", "application/zip", "application/gzip"]
}

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
