internal import Foundation
internal import MartletHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The head of a response, as far as URLSession exposes it.
///
/// The order of the fields and the case of their names may be lost, and lines with the same name are joined. Those of `Set-Cookie` are
/// split again.
struct SessionHead: Sendable {
    let status: HTTPStatus
    let headers: HTTPFields
    /// The value of `Content-Length`; nil if the field is missing, or does not describe the decoded body.
    let length: Int64?
    /// Whether the response has no body, whatever its fields say (RFC 9112 §6.3).
    let hasNoBody: Bool
    /// Whether URLSession has decoded a content coding.
    let wasCoded: Bool

    /// Reads a head.
    ///
    /// Throws `.responseTooLarge` if a limit is exceeded (lines with the same name are joined and count as one), and `.invalidResponse` if
    /// `Content-Length` is invalid.
    init(_ response: HTTPURLResponse, to method: HTTPMethod, limits: ResponseLimits) throws(HTTPError) {
        var fields: [(String, String)] = []
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            fields.append((name, value))
        }
        try self.init(status: response.statusCode, fields: fields, to: method, limits: limits)
    }

    init(status: Int, fields: [(name: String, value: String)], to method: HTTPMethod, limits: ResponseLimits) throws(HTTPError) {
        self.status = HTTPStatus(rawValue: status)
        // The size as transmitted: with the status line, separators and line ends.
        let size = fields.reduce(17) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size <= limits.headBytes else {
            throw .responseTooLarge(SizeLimitFailure(.head, limit: limits.headBytes, context: ErrorContext(stage: .exchange)))
        }
        var headers = HTTPFields()
        // The original order is lost. Sorting makes the order reproducible.
        for field in fields.sorted(by: { $0.name < $1.name }) {
            let values = field.name.equalsIgnoringCase("Set-Cookie") ? SetCookieLines.split(field.value) : [field.value]
            for value in values { headers.append(HTTPFieldName(field.name), SessionHead.cleaned(value)) }
        }
        guard headers.count <= limits.fieldCount else {
            throw .responseTooLarge(SizeLimitFailure(.fields, limit: limits.fieldCount, context: ErrorContext(stage: .exchange)))
        }
        hasNoBody = method == .head || self.status.forbidsContent
        wasCoded = headers.contains(.contentEncoding) && !hasNoBody
        if wasCoded {
            headers.remove(.contentEncoding)
            headers.remove(.contentLength)
        }
        length = try headers.declaredContentLength()
        self.headers = headers
    }

    /// Returns a value in which spaces replace invalid characters, such as a CR without LF (RFC 9110 §5.5).
    private static func cleaned(_ value: String) -> String {
        if value.utf8.allSatisfy(Token.isFieldContent) { return value }
        return String(decoding: value.utf8.map { Token.isFieldContent($0) ? $0 : 0x20 }, as: UTF8.self)
    }

    /// Whether a body of `received` bytes is shorter than announced.
    func isCutShort(after received: Int64) -> Bool { !hasNoBody && received < length ?? 0 }

    /// Returns the response with its body.
    func response(_ body: HTTPBody) -> HTTPResponse<HTTPBody> {
        var response = HTTPResponse(status: status, headers: headers, body: body)
        response.metadata.wasContentCoded = wasCoded
        return response
    }
}

/// Splits lines of `Set-Cookie` that were joined with commas. Commas within a line occur only in dates.
enum SetCookieLines {
    static func split(_ joined: String) -> [String] {
        var lines: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            if beginsCookie(part) || lines.isEmpty {
                lines.append(String(part.trimmingWhitespace))
            } else {
                lines[lines.count - 1] += "," + part
            }
        }
        return lines
    }

    /// Whether a part begins with `name=`, where the name is a token (RFC 6265 §4.1.1). ` 21 Oct 2026 07:28:00 GMT; Path=/` does not.
    private static func beginsCookie(_ part: Substring) -> Bool {
        let text = part.drop { $0 == " " || $0 == "\t" }
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let name = text.utf8[..<equals]
        return !name.isEmpty && name.allSatisfy(Token.contains)
    }
}
