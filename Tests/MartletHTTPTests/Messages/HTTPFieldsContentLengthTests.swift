import MartletEssentials
import MartletHTTP
import Testing

@Suite("HTTPFields: Content-Length", .timeLimit(.minutes(5)))
struct HTTPFieldsContentLengthTests {
    private func length(_ lines: String..., chunked: Bool = false) throws -> Int64? {
        var fields = HTTPFields()
        for line in lines { fields.append(.contentLength, line) }
        if chunked { fields.append(.transferEncoding, "chunked") }
        return try fields.declaredContentLength()
    }

    @Test("A number is the length; a missing field or a Transfer-Encoding declares none")
    func lengths() throws {
        #expect(try length("0") == 0)
        #expect(try length("  42 ") == 42)
        #expect(try length("9223372036854775807") == .max)
        #expect(try length() == nil)
        #expect(try length("42", chunked: true) == nil)
    }

    @Test("Equal numbers are one length, in one line or several (RFC 9110 §8.6)")
    func repeated() throws {
        #expect(try length("42, 42") == 42)
        #expect(try length("42", "42") == 42)
    }

    @Test(
        "Different numbers, and anything but decimal digits, are an invalid response",
        arguments: [["42, 43"], ["42", "43"], ["+42"], ["-1"], ["0x2A"], ["4 2"], [""], ["9223372036854775808"], ["4٢"], ["42,"]])
    func invalid(_ lines: [String]) {
        var fields = HTTPFields()
        for line in lines { fields.append(.contentLength, line) }
        #expect(throws: HTTPError.self) { try fields.declaredContentLength() }
    }
}
