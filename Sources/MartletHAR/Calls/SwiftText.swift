internal import MartletEssentials

/// Writes a call as Swift code that repeats it, made of redacted parts.
struct SwiftText {
    let call: LoggedCall
    let redaction: CassetteRedaction

    private static let longestBody = 100_000

    /// The code, or nil for a call without an attempt, and for an upload in parts, which has no single request.
    var code: String? {
        guard let first = call.attempts.first, call.info.kind != .upload else { return nil }
        var lines = notes(first) + [request(first)]
        for field in first.headers where isKept(field) {
            lines.append("    .header(\(literal(field.name.rawName)), \(literal(redaction.value(of: field))))")
        }
        return (lines + [use]).joined(separator: "\n") + "\n"
    }

    private func request(_ attempt: LoggedAttempt) -> String {
        let address = "url: URL(string: \(literal(redaction.url(attempt.url))))!"
        let body = body(attempt).map { ", body: \($0)" } ?? ""
        let method = attempt.method.rawValue, name = method.lowercased()
        let isKnown = ["get", "head", "options", "delete", "post", "put", "patch"].contains(name) && method == name.uppercased()
        return "let request = Request<\(valueName)>"
            + (isKnown ? ".\(name)(\(address)\(body))" : "(method: \(literal(method)), \(address)\(body))")
    }

    private var valueName: String {
        guard call.info.kind == .request, let type = call.info.valueType else { return "Data" }
        return type == Void.self ? "Void" : typeName(type)
    }

    private var use: String {
        switch call.info.kind {
        case .stream: "for try await piece in try await client.stream(request).body { print(piece.count) }"
        case .events: "for try await event in client.events(request) { print(event.data) }"
        case .webSocket:
            "let socket = try await client.webSocket(request\(protocols))\nfor try await message in socket.messages { print(message) }"
        case .download: "let file = try await client.download(request, to: URL(filePath: \"download\"))"
        default: valueName == "Void" ? "try await client.send(request)" : "let value = try await client.send(request)"
        }
    }

    /// The argument for the subprotocols that the handshake offers, or nothing.
    private var protocols: String {
        // Some servers take a token in place of a subprotocol.
        guard let field = call.attempts.first?.headers.first(where: { $0.name == "Sec-WebSocket-Protocol" }) else { return "" }
        let names = redaction.value(of: field).split(separator: ",").map { literal(String($0.trimmingWhitespace)) }
        return ", protocols: [\(names.joined(separator: ", "))]"
    }

    private func notes(_ attempt: LoggedAttempt) -> [String] {
        let names = attempt.headers.filter { isSecret($0) && !SwiftText.added.contains($0.name) }.map { literal($0.name.rawName) }
        var notes = names.isEmpty ? [] : ["// Without the secrets in \(names.joined(separator: ", "))."]
        if attempt.sent.isTruncated {
            notes.append("// Without the body of \(attempt.sent.size) bytes, which was not recorded completely.")
        }
        return notes
    }

    private func body(_ attempt: LoggedAttempt) -> String? {
        guard attempt.sent.size > 0, !attempt.sent.isTruncated, attempt.sent.size <= SwiftText.longestBody else { return nil }
        let type = attempt.headers[.contentType] ?? "application/octet-stream"
        let bytes = redaction.body(attempt.sent.bytes, type: type, isAnswer: false)
        let content =
            String(validUTF8: bytes).map { "Data(\(literal($0)).utf8)" } ?? "Data(base64Encoded: \"\(bytes.base64EncodedString())\")!"
        return ".data(\(content), contentType: \(literal(type)))"
    }

    // MARK: Parts

    /// Whether the field is the caller's: not a secret, and not one that the client, its cache or its transport adds.
    private func isKept(_ field: HTTPField) -> Bool { !isSecret(field) && !SwiftText.added.contains(field.name) }

    private func isSecret(_ field: HTTPField) -> Bool { redaction.value(of: field) != field.value }

    private static let added: Set<HTTPFieldName> = [
        .accept, .contentType, .contentLength, "Accept-Encoding", "User-Agent", .ifNoneMatch, "If-Modified-Since", .host, "Traceparent",
        "Tracestate", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Protocol",
    ]

    /// Returns a string literal on one line. Invisible characters are escaped, so that the code is what it looks like.
    private func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case "\r": literal += "\\r"
            default:
                let isHidden = [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                literal += isHidden ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
        return literal + "\""
    }
}
