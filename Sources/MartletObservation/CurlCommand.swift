internal import MartletClient
internal import MartletEssentials

extension HTTPRequest {
    /// The request as a `curl` command for a POSIX shell, with secrets hidden, for logs, tickets and documentation.
    ///
    /// ```
    /// curl -X PUT 'https://api.example/users/1' -H 'Authorization: ‹redacted›' -H 'Content-Type: application/json' --data-raw '{"name":"Ada"}'
    /// ```
    ///
    /// With the secrets inserted, or with ``curlRevealingSecrets``, the command sends the same request. A body is read from standard input
    /// (`@-`) if it is a stream, longer than 100 KB, not text, or of a type whose secrets cannot be found. A file is named. Invalid fields
    /// are omitted.
    ///
    /// For the request of a WebSocket as the transport gets it, the command sends the opening handshake and shows the response and the raw
    /// bytes that follow. Messages can't be expressed: curl sends none, and does not mask or parse frames.
    public var curl: String { CurlText(request: self, hidesSecrets: true).command }

    /// The request as a `curl` command with every secret readable. Keep it out of logs and tickets: its reader can act as your user.
    public var curlRevealingSecrets: String { CurlText(request: self, hidesSecrets: false).command }
}

/// Writes a request as a `curl` command.
private struct CurlText {
    let request: HTTPRequest
    let hidesSecrets: Bool

    private static let longestBody = 100_000

    var command: String { (["curl"] + options + [url] + fields + content).joined(separator: " ") }

    private var options: [String] {
        let method = request.method
        var options: [String] = []
        switch (method, request.body != nil) {
        case (.get, false), (.post, true): break
        case (.head, false): options.append("--head")
        default: options.append("-X " + quoted(method.isValid ? method.rawValue : Redaction.line(method.rawValue, limit: 40)))
        }
        // Without these, curl would offer HTTP/2, which has no such upgrade, and keep back what arrives.
        if request.isWebSocketHandshake { options += ["--include", "--no-buffer", "--http1.1"] }
        let address = request.url.absoluteString
        // These characters have special meanings for curl.
        if address.utf8.contains(where: { [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}")].contains($0) }) {
            options.append("--globoff")
        }
        if address.contains("/.") { options.append("--path-as-is") }
        return options
    }

    private var url: String {
        let address = request.url.absoluteString
        // An argument that begins with a dash would be an option.
        return (address.hasPrefix("-") ? "--url " : "") + quoted(hidesSecrets ? Redaction.address(address, limit: 100_000) : address)
    }

    private var fields: [String] {
        var fields = request.headers.filter { $0.name.isValid && $0.value.utf8.allSatisfy(Token.isFieldContent) }.map { field in
            let value =
                hidesSecrets && field.isCredential
                ? Redaction.mask : hidesSecrets ? Redaction.quote(field.value, limit: 8_000) : field.value
            // With a colon and no value, curl would remove the field.
            return "-H " + quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // curl would otherwise add the type of a form.
        if request.body != nil, !request.headers.contains(.contentType) { fields.append("-H 'Content-Type:'") }
        // Servers expect a length for these methods, which curl does not send without a body.
        if request.body == nil, [.post, .put, .patch].contains(request.method) { fields.append("-H 'Content-Length: 0'") }
        return fields
    }

    private var content: [String] {
        guard let body = request.body else { return [] }
        if case .file(let file) = body.storage, file.start == 0 { return ["--data-binary " + quoted("@" + file.path)] }
        guard let bytes = body.buffered, bytes.count <= CurlText.longestBody, let text = shown(bytes), !CurlText.movesCursor(text) else {
            return ["--data-binary @-"]
        }
        return ["--data-raw " + quoted(text)]
    }

    private func shown(_ body: Data) -> String? {
        guard hidesSecrets else { return String(validUTF8: body) }
        return Redaction.readable(body, type: request.headers[.contentType], limit: CurlText.longestBody)
    }

    /// Whether a text contains control characters that a terminal may act on.
    private static func movesCursor(_ text: String) -> Bool {
        text.unicodeScalars.contains { Redaction.isControl($0) && $0 != "\t" && $0 != "\n" && $0 != "\r" }
    }

    /// Returns a text as one word of a POSIX shell.
    private func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { Token.contains($0) && !"!#$&'*`|~^%".utf8.contains($0) }
        // By scalars: Swift considers a quote with a combining accent one character, but for the shell the quote ends the word.
        return isPlain ? text : "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : String($1) } + "'"
    }
}

extension CallTrace {
    /// The attempts as `curl` commands for a POSIX shell, with secrets hidden, each after a comment with its number and outcome.
    ///
    /// ```
    /// # attempt 1: 503 Service Unavailable
    /// curl 'https://api.example/users/1' -H 'Authorization: ‹redacted›'
    /// # attempt 2: 200 OK
    /// curl 'https://api.example/users/1' -H 'Authorization: ‹redacted›'
    /// ```
    ///
    /// The commands are those of `HTTPRequest.curl`. The text is empty if no request was sent.
    public var curl: String {
        attempts.map { attempt in
            // A comment ends with its line.
            let outcome = attempt.outcome.map { Redaction.line("\($0)", limit: 1_000) } ?? "not ended"
            return "# attempt \(attempt.number): \(outcome)\n\(attempt.request.curl)"
        }.joined(separator: "\n")
    }
}

extension HTTPRequest {
    /// Whether the request has the fields of an opening handshake (RFC 6455 §4.1).
    fileprivate var isWebSocketHandshake: Bool { method == .get && headers["Upgrade"]?.lowercased() == "websocket" }
}
