#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes exchanges as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), secrets hidden.
///
/// Members of our own begin with `_`, as the format asks: `_error` and `_errorKind` where no answer came or its body broke off, `_trailers`,
/// `_incomplete` for a body whose reader stopped early, `_leftOut` for one past the limit, `_encoding` for a request's body that is not
/// text, `_charset` for a field that is not UTF-8, `_wasContentCoded` for a response whose content coding the transport decoded.
struct HARWriting {
    static let creator = "Martlet"
    static let version = "1.0"

    let redaction: CassetteRedaction
    let bodyLimit: Int

    /// A whole file of entries that ``entry(_:)`` has made.
    static func file(_ entries: [String]) -> Data {
        let list = entries.isEmpty ? "[]" : "[\n      " + entries.joined(separator: ",\n      ") + "\n    ]"
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
                "entries": \(list)
              }
            }

            """.utf8)
    }

    /// The text of one entry, indented as it stands in the file.
    func entry(_ exchange: RecordedExchange) -> String {
        var members: [(String, JSONOutput)] = [
            ("startedDateTime", .string(HARWriting.date(exchange.started))),
            ("time", .number(exchange.phases.total)),
            ("request", request(exchange)),
            ("response", response(exchange)),
            ("cache", .object([])),
            ("timings", HARWriting.timings(exchange.phases)),
        ]
        if let address = exchange.remoteAddress { members.append(("serverIPAddress", .string(address))) }
        return JSONOutput.object(members).text(level: 3)
    }

    // MARK: Request

    private func request(_ exchange: RecordedExchange) -> JSONOutput {
        let url = redaction.url(exchange.url)
        let query = url.firstIndex(of: "?").map { RequestSnapshot.items(of: url[url.index(after: $0)...]) } ?? []
        var members: [(String, JSONOutput)] = [
            ("method", .string(exchange.method.rawValue)),
            ("url", .string(url)),
            ("httpVersion", .string(exchange.answer?.version?.rawValue ?? "")),
            ("cookies", .array(exchange.headers.filter { $0.name == .cookie }.flatMap(cookies))),
            ("headers", HARFields.written(exchange.headers, redaction)),
            ("queryString", HARWriting.pairs(query)),
        ]
        if let data = posted(exchange) { members.append(("postData", data)) }
        return .object(members + [("headersSize", .integer(-1)), ("bodySize", .integer(exchange.requestBody.size ?? -1))])
    }

    private func posted(_ exchange: RecordedExchange) -> JSONOutput? {
        let type = exchange.headers[.contentType] ?? ""
        let start: [(String, JSONOutput)] = [("mimeType", .string(type))]
        switch exchange.requestBody {
        case .bytes(let body) where body.isEmpty: return nil
        case .missing(let size): return .object(start + noText + leftOut(size))
        case .bytes(let body), .start(let body):
            let hidden = redaction.body(body, type: type, isAnswer: false)
            let isForm = MediaType(type)?.essence == "application/x-www-form-urlencoded"
            let params = isForm ? RequestSnapshot.items(of: String(decoding: hidden, as: UTF8.self)) : []
            return .object(
                start + (isForm ? [("params", HARWriting.pairs(params))] : []) + HARContent.posted(hidden, type: type)
                    + incomplete(exchange.requestBody, "the transport stopped reading it here"))
        }
    }

    private func cookies(_ field: HTTPField) -> [JSONOutput] {
        RequestCookies.pairs(redaction.value(of: field)).map { .object([("name", .string($0)), ("value", .string($1))]) }
    }

    // MARK: Response

    private func response(_ exchange: RecordedExchange) -> JSONOutput {
        let answer = exchange.answer
        let headers = answer?.headers ?? [:]
        let location = headers.first { $0.name == .location }.map(redaction.value(of:))
        var members: [(String, JSONOutput)] = [
            ("status", .integer(answer?.status.rawValue ?? 0)),
            ("statusText", .string(answer?.status.reasonPhrase ?? "")),
            ("httpVersion", .string(answer?.version?.rawValue ?? "")),
            ("cookies", .array(headers.filter { $0.name == .setCookie }.map(setCookie))),
            ("headers", HARFields.written(headers, redaction)),
            ("content", content(answer)),
            ("redirectURL", .string(location ?? "")),
            ("headersSize", .integer(-1)),
            ("bodySize", .integer(headers[.contentLength].flatMap { Int($0) } ?? -1)),
        ]
        if let trailers = answer?.trailers, !trailers.isEmpty { members.append(("_trailers", HARFields.written(trailers, redaction))) }
        if answer?.wasContentCoded == true { members.append(("_wasContentCoded", .bool(true))) }
        if let failure = exchange.failure {
            let kind = RecordedFailure.kind(of: failure)
            let words = redaction.words(RecordedFailure.words(of: failure))
            members += [("_error", .string(words.isEmpty ? kind : words)), ("_errorKind", .string(kind))]
        }
        return .object(members)
    }

    private func content(_ answer: RecordedExchange.Answer?) -> JSONOutput {
        let type = answer?.headers[.contentType] ?? ""
        switch answer?.body {
        case .missing(let size):
            return .object([("size", .integer(size ?? -1)), ("mimeType", .string(type))] + noText + leftOut(size))
        case .bytes(let body), .start(let body):
            let hidden = redaction.body(body, type: type, isAnswer: true)
            return .object(
                [("size", .integer(hidden.count)), ("mimeType", .string(type))] + HARContent.written(hidden, type: type)
                    + incomplete(answer?.body, "the reader stopped here"))
        case nil: return .object([("size", .integer(0)), ("mimeType", .string(type))] + noText)
        }
    }

    private func setCookie(_ field: HTTPField) -> JSONOutput {
        let parts = redaction.value(of: field).split(separator: ";").map { $0.trimmingWhitespace }
        let cookie = parts.first.map { RequestCookies.pairs(String($0)) }?.first ?? ("", "")
        var members: [(String, JSONOutput)] = [("name", .string(cookie.name)), ("value", .string(cookie.value))]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count > 1 ? String(pair[1]) : ""
            switch pair[0].lowercased() {
            case "path": members.append(("path", .string(value)))
            case "domain": members.append(("domain", .string(value)))
            case "httponly": members.append(("httpOnly", .bool(true)))
            case "secure": members.append(("secure", .bool(true)))
            default: break
            }
        }
        return .object(members)
    }

    // MARK: Parts

    /// Optional in the format, and some readers fail without it.
    private var noText: [(String, JSONOutput)] { [("text", .string(""))] }

    private func leftOut(_ size: Int?) -> [(String, JSONOutput)] {
        let count = size.map { "\($0) bytes" } ?? "bytes"
        return [("comment", .string("left out: \(count), more than the recording's limit of \(bodyLimit)")), ("_leftOut", .bool(true))]
    }

    private func incomplete(_ body: RecordedExchange.Body?, _ comment: String) -> [(String, JSONOutput)] {
        guard case .start = body else { return [] }
        return [("comment", .string(comment)), ("_incomplete", .bool(true))]
    }

    private static func pairs(_ items: [RequestSnapshot.Item]) -> JSONOutput {
        .array(items.map { .object([("name", .string($0.name)), ("value", .string($0.value ?? ""))]) })
    }

    private static func timings(_ phases: RecordedExchange.Phases) -> JSONOutput {
        let known: (Duration?) -> JSONOutput = { $0.map { .number($0.milliseconds) } ?? .integer(-1) }
        return .object([
            ("blocked", known(phases.blocked)), ("dns", known(phases.lookup)), ("connect", known(phases.connect)),
            ("send", .number(phases.send.milliseconds)), ("wait", .number(phases.wait.milliseconds)),
            ("receive", .number(phases.receive.milliseconds)), ("ssl", known(phases.tls)),
        ])
    }

    /// ISO 8601 with milliseconds and the zone.
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

extension RecordedExchange.Phases {
    /// In milliseconds, TLS counted within connecting, as the format wants it.
    fileprivate var total: Double { (head + receive).milliseconds }
}

extension RecordedExchange.Body {
    /// How many bytes there were, when it is known.
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
