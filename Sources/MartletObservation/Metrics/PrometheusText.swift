/// Writes names, labels and numbers of Prometheus's text exposition format.
enum PrometheusText {
    /// Returns a name with `_` in place of each character that a name may not contain.
    static func name(_ name: String) -> String { identifier(name) { $0 == ":" } }

    /// Returns a one-line text with backslashes and line ends escaped.
    static func help(_ text: String) -> String { escaped(text, quotes: false) }

    /// Returns the labels sorted by name, without braces. Of labels with the same name, the last counts.
    static func labels(_ labels: [CallMetric.Label]) -> String {
        let values = labels.reduce(into: [String: String]()) { $0[identifier($1.name) { _ in false }] = $1.value }
        return values.sorted { $0.key < $1.key }.map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",")
    }

    /// Returns a number as Prometheus reads it: integers without a fraction, and `+Inf` or `-Inf`.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return abs(value) < 9e15 && value.rounded() == value ? "\(Int64(value))" : "\(value)"
    }

    private static func identifier(_ name: String, alsoAllows: (Character) -> Bool) -> String {
        let mapped = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") || alsoAllows($0) ? $0 : "_" })
        return mapped.first.map { $0.isNumber } ?? true ? "_" + mapped : mapped
    }

    /// Escapes by scalars: a line end after a carriage return, or with a combining mark, is part of one character.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += #"\\"#
            case "\n": result += #"\n"#
            case "\"" where quotes: result += #"\""#
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
