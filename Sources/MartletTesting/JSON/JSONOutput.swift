/// A JSON value to be written with its members in the order they are given, so that people find what they look for and files compare well.
indirect enum JSONOutput {
    case string(String)
    case integer(Int)
    /// Written with at most three digits after the point.
    case number(Double)
    case bool(Bool)
    case array([JSONOutput])
    case object([(String, JSONOutput)])

    /// The text, each member on a line of its own, indented by `level` times two spaces.
    func text(level: Int = 0) -> String {
        switch self {
        case .string(let text): JSONOutput.quoted(text)
        case .integer(let number): "\(number)"
        case .number(let number): JSONOutput.rounded(number)
        case .bool(let value): "\(value)"
        case .array(let elements): JSONOutput.lines("[", elements.map { $0.text(level: level + 1) }, "]", level)
        case .object(let members):
            JSONOutput.lines("{", members.map { "\(JSONOutput.quoted($0)): \($1.text(level: level + 1))" }, "}", level)
        }
    }

    /// A bracketed list, each line indented by one level more than `level`.
    static func lines(_ start: String, _ lines: [String], _ end: String, _ level: Int) -> String {
        guard !lines.isEmpty else { return start + end }
        let indent = "\n" + String(repeating: "  ", count: level)
        return start + indent + "  " + lines.joined(separator: ",\(indent)  ") + indent + end
    }

    private static func rounded(_ number: Double) -> String {
        let thousandths = (number * 1000).rounded()
        guard abs(thousandths) < 1e15 else { return "0" }
        let rounded = thousandths / 1000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    /// A string of JSON. What a terminal, an editor or JavaScript would take for the end of a line is escaped.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        bytes.reserveCapacity(text.utf8.count + 2)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += #"\""#.utf8
            case "\\": bytes += #"\\"#.utf8
            case "\n": bytes += #"\n"#.utf8
            case "\r": bytes += #"\r"#.utf8
            case "\t": bytes += #"\t"#.utf8
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar == "\u{2028}" || scalar == "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                bytes += (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
