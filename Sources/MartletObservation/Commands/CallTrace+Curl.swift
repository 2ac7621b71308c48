extension CallTrace {
    /// The requests of the attempts as `curl` commands for a POSIX shell, one after the other, with secrets hidden.
    ///
    /// ```swift
    /// catch { print(error.trace, error.trace.curl, separator: "\n") }
    /// ```
    ///
    /// See `HTTPRequest.curl` for what a command contains.
    public var curl: String { attempts.map(\.request.curl).joined(separator: "\n") }
}
