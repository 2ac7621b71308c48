/// The names of types in a Swift file, outside comments and strings. The code of interpolations counts.
struct SwiftNames {
    /// The types that the file declares at its top level and that other files can see.
    private(set) var declared: Set<String> = []
    /// The other types that it declares: nested and private ones.
    private(set) var hidden: Set<String> = []
    /// The names that it uses, other than those after a dot.
    private(set) var used: Set<String> = []

    private var bytes: ArraySlice<UInt8>
    private var depth = 0
    /// The last words of the line with only spaces between them.
    private var words: [String] = []
    private var isAfterDot = false

    private static let kinds: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    init(_ text: String) {
        bytes = ArraySlice(Array(text.utf8))
        readCode(isInterpolation: false)
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { expected in bytes.starts(with: expected) }
    }

    /// Reads code to the end, or to the parenthesis that ends an interpolation.
    private mutating func readCode(isInterpolation: Bool) {
        var parentheses = 0
        while let byte = bytes.first {
            if isLetter(byte) {
                readWord()
                continue
            }
            if starts(with: "//") || starts(with: "/*") {
                skipComment()
                continue
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") {
                readString()
                endPhrase()
                continue
            }
            bytes.removeFirst()
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"):
                parentheses -= 1
                if isInterpolation, parentheses < 0 { return }
            case UInt8(ascii: " "): continue
            default: break
            }
            endPhrase()
            isAfterDot = byte == UInt8(ascii: ".")
        }
    }

    private mutating func endPhrase() {
        words = []
        isAfterDot = false
    }

    private mutating func readWord() {
        let word = String(decoding: bytes.prefix { isLetter($0) || isDigit($0) }, as: UTF8.self)
        bytes.removeFirst(word.utf8.count)
        defer {
            words.append(word)
            isAfterDot = false
        }
        guard word.first?.isUppercase == true else { return }
        if let kind = words.last, SwiftNames.kinds.contains(kind) {
            if words.contains("import") { return }
            let isVisible = depth == 0 && !words.contains("private") && !words.contains("fileprivate")
            if isVisible { declared.insert(word) } else { hidden.insert(word) }
        } else if !isAfterDot {
            used.insert(word)
        }
    }

    private mutating func skipComment() {
        if starts(with: "//") {
            bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
            return
        }
        var level = 0
        repeat {
            if starts(with: "/*") {
                level += 1
                bytes.removeFirst(2)
            } else if starts(with: "*/") {
                level -= 1
                bytes.removeFirst(2)
            } else {
                bytes.removeFirst()
            }
        } while level > 0 && !bytes.isEmpty
    }

    /// Skips a string literal, reads the code of its interpolations, and takes a number sign that begins no string.
    private mutating func readString() {
        let signs = bytes.prefix { $0 == UInt8(ascii: "#") }.count
        bytes.removeFirst(signs)
        guard starts(with: "\"") else { return }
        let quotes = starts(with: "\"\"\"") ? 3 : 1
        bytes.removeFirst(quotes)
        let end = Array(repeating: UInt8(ascii: "\""), count: quotes) + Array(repeating: UInt8(ascii: "#"), count: signs)
        let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: signs)
        while !bytes.isEmpty {
            if bytes.starts(with: end) {
                bytes.removeFirst(end.count)
                return
            }
            guard bytes.starts(with: escape) else {
                bytes.removeFirst()
                continue
            }
            bytes.removeFirst(escape.count)
            let isInterpolation = starts(with: "(")
            if !bytes.isEmpty { bytes.removeFirst() }
            if isInterpolation { readCode(isInterpolation: true) }
        }
    }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80 }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
