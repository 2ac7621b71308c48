internal import MartletEssentials

extension HTTPRequest {
    /// The request as a `curl` command for a POSIX shell, secrets hidden: for logs, tickets and documentation.
    ///
    /// ```
    /// curl -X PUT 'https://api.example/users/1' -H 'Authorization: ‹redacted›' -H 'Content-Type: application/json' --data-raw '{"name":"Ada"}'
    /// ```
    ///
    /// With the secrets put back in, or by ``curlRevealingSecrets``, it does what the request does. A body that is a stream, that is longer
    /// than 100 KB, no text or of a type whose secrets can't be found is read from standard input (`@-`), a file by its name. A field that could not be sent is left out.
    public var curl: String { CurlText(request: self, hidesSecrets: true).command }

    /// As ``curl``, with every credential readable. Keep it out of logs and tickets: whoever sees it can act as your user.
    public var curlRevealingSecrets: String { CurlText(request: self, hidesSecrets: false).command }
}

/// Writes a request as a command.
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
        let address = request.url.absoluteString
        // curl gives both a meaning of its own.
        if address.utf8.contains(where: { [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}")].contains($0) }) {
            options.append("--globoff")
        }
        if address.contains("/.") { options.append("--path-as-is") }
        return options
    }

    private var url: String {
        let address = request.url.absoluteString
        // What begins with a dash would be an option.
        return (address.hasPrefix("-") ? "--url " : "") + quoted(hidesSecrets ? Redaction.address(address, limit: 100_000) : address)
    }

    private var fields: [String] {
        var fields = request.headers.filter { $0.name.isValid && $0.value.utf8.allSatisfy(Token.isFieldContent) }.map { field in
            let value =
                hidesSecrets && field.isCredential
                ? Redaction.mask : hidesSecrets ? Redaction.quote(field.value, limit: 8_000) : field.value
            // A colon and nothing would take the field away.
            return "-H " + quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // curl would say that it is a form.
        if request.body != nil, !request.headers.contains(.contentType) { fields.append("-H 'Content-Type:'") }
        // Where servers ask for a length, which curl does not say of nothing.
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

    /// Whether it has control characters that no text has, and that a terminal may act on.
    private static func movesCursor(_ text: String) -> Bool {
        text.unicodeScalars.contains { Redaction.isControl($0) && $0 != "\t" && $0 != "\n" && $0 != "\r" }
    }

    /// One word of a POSIX shell, whatever is in it.
    private func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { Token.contains($0) && !"!#$&'*`|~^%".utf8.contains($0) }
        // By bytes: a quote with an accent upon it is another character, and ends a word of the shell all the same.
        return isPlain ? text : "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : String($1) } + "'"
    }
}
