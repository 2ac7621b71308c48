/// Computes the value of a block string without its indentation (GraphQL, September 2025, §2.9.4, BlockStringValue).
enum BlockString {
    /// Returns the value of the lines between the triple quotes.
    static func value(of lines: [[UInt8]]) -> String {
        let filled = lines.indices.filter { indent(of: lines[$0]) < lines[$0].count }
        guard let first = filled.first, let last = filled.last else { return "" }
        // The first line follows the quotes, so its indentation does not count.
        let common = filled.filter { $0 > 0 }.map { indent(of: lines[$0]) }.min() ?? 0
        var value: [UInt8] = []
        for index in first...last {
            if index > first { value.append(UInt8(ascii: "\n")) }
            value += lines[index].dropFirst(index == 0 ? 0 : common)
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func indent(of line: [UInt8]) -> Int {
        line.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? line.count
    }
}
