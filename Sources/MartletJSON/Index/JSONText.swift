/// JSON as text for people: reports, recordings and golden files.
///
/// Characters that a terminal or an editor interprets are escaped. For requests and responses, use ``JSONOutput``.
package enum JSONText {
    /// Returns a quoted string. Besides what JSON requires, it escapes DEL, the C1 control characters, U+2028 and U+2029.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        quoted.reserveCapacity(text.utf8.count + 2)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += #"\""#
            case "\\": quoted += #"\\"#
            case "\n": quoted += #"\n"#
            case "\r": quoted += #"\r"#
            case "\t": quoted += #"\t"#
            case _ where isInterpreted(scalar):
                let digits = String(scalar.value, radix: 16)
                quoted += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func isInterpreted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x2029: true
        default: false
        }
    }
}
