/// The value of an extended parameter (RFC 8187 §3.2): `UTF-8'en'%e2%82%ac`.
enum ExtendedValue {
    /// The text; nil when it is malformed, not valid in its charset, or in one that nobody has to know.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = octets(parts[2].utf8) else { return nil }
        if parts[0].equalsIgnoringCase("UTF-8") { return String(validUTF8: bytes) }
        guard parts[0].equalsIgnoringCase("ISO-8859-1") else { return nil }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func octets(_ text: Substring.UTF8View) -> [UInt8]? {
        var octets: [UInt8] = [], rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
                octets.append(high << 4 | low)
            case UInt8(ascii: "'"), UInt8(ascii: "*"): return nil
            default: octets.append(byte)
            }
        }
        return octets
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
