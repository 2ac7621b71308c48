/// The code of a Swift source, without its comments and without what its string literals say. Interpolations are code and stay.
struct SwiftCode {
    private let text: [Character]
    private var position = 0
    private var code = ""

    static func only(_ source: String) -> String {
        var scanner = SwiftCode(source)
        scanner.scanCode(endsAtParenthesis: false)
        return scanner.code
    }

    private init(_ source: String) { text = Array(source) }

    private mutating func scanCode(endsAtParenthesis: Bool) {
        var depth = 0
        while position < text.count {
            if stands("//") {
                while position < text.count, !text[position].isNewline { position += 1 }
            } else if stands("/*") {
                skipBlockComment()
            } else if let hashes = hashesOfString() {
                skipString(hashes: hashes)
            } else {
                if text[position] == "(" { depth += 1 }
                if text[position] == ")" { depth -= 1 }
                if endsAtParenthesis, depth < 0 { return }
                code.append(text[position])
                position += 1
            }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if stands("/*") { depth += 1 }
            if stands("*/") { depth -= 1 }
            position += stands("/*") || stands("*/") ? 2 : 1
        } while depth > 0 && position < text.count
        code.append(" ")
    }

    /// How many `#` stand before the quote of a string that begins here; nil when none does.
    private func hashesOfString() -> Int? {
        let hashes = text[position...].prefix { $0 == "#" }.count
        return position + hashes < text.count && text[position + hashes] == "\"" ? hashes : nil
    }

    private mutating func skipString(hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        position += hashes
        let quotes = stands("\"\"\"") ? "\"\"\"" : "\""
        position += quotes.count
        code.append("\"")
        while position < text.count, !stands(quotes + fence) {
            if stands("\\" + fence + "(") {
                position += hashes + 2
                code.append(" ")
                scanCode(endsAtParenthesis: true)
                code.append(" ")
                position += 1
            } else {
                position += stands("\\" + fence) ? hashes + 2 : 1
            }
        }
        position += quotes.count + hashes
        code.append("\"")
    }

    private func stands(_ word: String) -> Bool { text[position...].starts(with: word) }
}
