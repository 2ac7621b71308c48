/// Tracks the brackets, strings and comments that are open at the end of a line of Swift code.
struct Depth {
    private(set) var brackets = 0
    private(set) var braces = 0
    /// The number of `#` of the multi-line string that is open, or nil.
    private var openString: Int?
    private var isInBlockComment = false
    /// Whether a brace was opened since ``reset()``.
    private(set) var hasOpenedBrace = false

    var isTopLevel: Bool { brackets == 0 && braces == 0 && openString == nil && !isInBlockComment }

    mutating func reset() { hasOpenedBrace = false }

    mutating func read(_ line: String) {
        var rest = Array(line.utf8)[...]
        while let byte = rest.first {
            if isInBlockComment {
                if rest.starts(with: Array("*/".utf8)) { isInBlockComment = false }
                rest.removeFirst()
            } else if let hashes = openString {
                skipMultiline(&rest, hashes)
            } else if rest.starts(with: Array("//".utf8)) {
                return
            } else if rest.starts(with: Array("/*".utf8)) {
                isInBlockComment = true
                rest.removeFirst()
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") {
                openLiteral(&rest)
            } else {
                count(byte)
                rest.removeFirst()
            }
        }
    }

    private mutating func count(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"):
            braces += 1
            hasOpenedBrace = true
        case UInt8(ascii: "}"): braces -= 1
        case UInt8(ascii: "("), UInt8(ascii: "["): brackets += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): brackets -= 1
        default: break
        }
    }

    private mutating func skipMultiline(_ rest: inout ArraySlice<UInt8>, _ hashes: Int) {
        let end = Array(#"""""#.utf8) + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        if hashes == 0, rest.first == UInt8(ascii: "\\") {
            rest = rest.dropFirst(2)
        } else if rest.starts(with: end) {
            rest = rest.dropFirst(end.count)
            openString = nil
        } else {
            rest.removeFirst()
        }
    }

    /// Reads a string literal from its first `#` or quote to its end, or to the end of the line for a multi-line literal.
    private mutating func openLiteral(_ rest: inout ArraySlice<UInt8>) {
        let hashes = rest.prefix { $0 == UInt8(ascii: "#") }.count
        let quotes = rest.dropFirst(hashes)
        guard quotes.first == UInt8(ascii: "\"") else {
            rest = quotes
            return
        }
        if quotes.starts(with: Array(#"""""#.utf8)) {
            rest = quotes.dropFirst(3)
            openString = hashes
            return
        }
        rest = quotes.dropFirst()
        let end = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        while !rest.isEmpty, !rest.starts(with: end) {
            if rest.starts(with: escape + [UInt8(ascii: "(")]) {
                rest = rest.dropFirst(escape.count + 1)
                skipInterpolation(&rest)
            } else {
                rest = rest.dropFirst(rest.starts(with: escape) ? escape.count + 1 : 1)
            }
        }
        rest = rest.dropFirst(end.count)
    }

    /// Reads the expression of an interpolation, whose parenthesis is open, to its end. It may contain strings.
    private mutating func skipInterpolation(_ rest: inout ArraySlice<UInt8>) {
        var open = 1
        while open > 0, let byte = rest.first {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") {
                openLiteral(&rest)
                continue
            }
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") { open -= 1 }
            rest.removeFirst()
        }
    }
}
