extension HTTPFields {
    /// The length that the fields announce; nil when they announce none, or the content comes in chunks (RFC 9112 §6.3).
    ///
    /// Throws `.invalidResponse` when `Content-Length` is no number, or says two things: libraries take the last, or none, and a body
    /// that was cut short for a whole one. One that is repeated is a list of equal numbers (RFC 9110 §8.6).
    package func declaredContentLength() throws(HTTPError) -> Int64? {
        let values = values(for: .contentLength).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
            String($0.trimmingWhitespace)
        }
        guard let first = values.first, !contains(.transferEncoding) else { return nil }
        guard first.isDecimal, let length = Int64(first), values.allSatisfy({ $0 == first }) else {
            let text = Redaction.line(values.joined(separator: ", "))
            throw .invalidResponse(Explanation("Content-Length is not one number: \(text)", context: ErrorContext(stage: .exchange)))
        }
        return length
    }
}
