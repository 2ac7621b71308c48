extension HTTPFields {
    /// The length that the fields announce; nil when they announce none, or the content comes in chunks (RFC 9112 §6.3).
    ///
    /// Throws `.invalidResponse` when `Content-Length` is no number, or says two things: libraries take the last, or none, and a body
    /// that was cut short for a whole one. One that is repeated is a list of equal numbers (RFC 9110 §8.6).
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
    /// Reads a number that is written in decimal digits alone. Returns nil for other texts and for a number that is too large.
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
