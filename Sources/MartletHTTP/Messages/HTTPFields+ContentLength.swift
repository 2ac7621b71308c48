extension HTTPFields {
    /// The declared length of the body. Nil if none is declared or the body is chunked (RFC 9112 §6.3).
    ///
    /// A field that repeats one number is valid (RFC 9110 §8.6). Throws `.invalidResponse` if `Content-Length` is not a number or has
    /// different numbers: libraries use the last one or none, and would accept a truncated body as complete.
    package func declaredContentLength() throws(HTTPError) -> Int64? {
        var first: Range<Int>?
        var isOneText = true
        forEachElement(of: .contentLength) { element in
            if let known = first { isOneText = isOneText && isEqual(known, element) } else { first = element }
        }
        guard let first, !contains(.transferEncoding) else { return nil }
        guard isOneText, let length = Int64(digits: bytes[first]) else {
            let text = Redaction.line(values(for: .contentLength).joined(separator: ", "))
            throw .invalidResponse(Explanation("Content-Length is not one number: \(text)", context: ErrorContext(stage: .exchange)))
        }
        return length
    }

    /// Throws `.invalidResponse` unless the body is sent plainly or in chunks.
    ///
    /// No request announces another transfer coding (RFC 9112 §7.4). Libraries would decode some of them without a limit, and pass on
    /// others as content, chunk sizes included.
    package func checkTransferCoding() throws(HTTPError) {
        guard contains(.transferEncoding) else { return }
        let codings = values(for: .transferEncoding).joined(separator: ",")
        guard !["chunked", "identity"].contains(where: codings.equalsIgnoringCase) else { return }
        let words = "the transfer coding is neither chunked nor identity: \(Redaction.line(codings))"
        throw .invalidResponse(Explanation(words, context: ErrorContext(stage: .exchange)))
    }

    private func isEqual(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && bytes[one].elementsEqual(bytes[other])
    }
}

extension Int64 {
    /// Parses a number of decimal digits only. Nil for other text and for a number that is too large.
    init?(digits: ArraySlice<UInt8>) {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for byte in digits {
            guard Token.isDigit(byte) else { return nil }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(byte - 0x30))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        self = number
    }
}
