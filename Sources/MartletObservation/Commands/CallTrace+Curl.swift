internal import MartletClient

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
