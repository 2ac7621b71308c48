extension HTTPFields {
    /// The declared length of the body. Nil if none is declared or the body is chunked (RFC 9112 §6.3).
    ///
    /// A field that repeats one number is valid (RFC 9110 §8.6). Throws `.invalidResponse` if `Content-Length` is not a number or has
    /// different numbers: libraries use the last one or none, and would accept a truncated body as complete.
    package func declaredContentLength() throws(HTTPError) -> Int64? {
        let lines = bytes(for: .contentLength)
        if lines.isEmpty { return nil }
        // Nearly every response has one line of digits.
        if lines.count == 1, let length = Int64(digits: lines[0]) { return contains(.transferEncoding) ? nil : length }
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

extension Int64 {
    /// Parses a number of decimal digits only. Nil for other text and for a number that is too large.
    fileprivate init?(digits: [UInt8]) {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(byte - 0x30))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        self = number
    }
}
