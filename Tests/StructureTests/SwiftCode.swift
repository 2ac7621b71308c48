import Foundation

/// The code of a Swift source, without its comments and without what its string literals say. Interpolations are code and stay.
///
/// By bytes: whatever matters here is ASCII, and by characters all sources take seconds.
struct SwiftCode {
    private let text: UnsafePointer<UInt8>
    private let count: Int
    private var position = 0
    private var code: [UInt8] = []

    static func only(_ source: String) -> String {
        var source = source
        return source.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return "" }
            var scanner = SwiftCode(start, bytes.count)
            scanner.scanCode(endsAtParenthesis: false)
            return String(decoding: scanner.code, as: UTF8.self)
        }
    }

    private init(_ text: UnsafePointer<UInt8>, _ count: Int) {
        self.text = text
        self.count = count
        code.reserveCapacity(count)
    }

    private mutating func scanCode(endsAtParenthesis: Bool) {
        var depth = 0
        while position < count {
            let byte = text[position]
            if byte == Byte.slash, stands("//") {
                position = memchr(text + position, CInt(Byte.newline), count - position).map { offset(of: $0) } ?? count
            } else if byte == Byte.slash, stands("/*") {
                skipBlockComment()
            } else if byte == Byte.hash || byte == Byte.quote, let hashes = hashesOfString() {
                skipString(hashes: hashes)
            } else {
                if byte == Byte.opening { depth += 1 }
                if byte == Byte.closing { depth -= 1 }
                if endsAtParenthesis, depth < 0 { return }
                let start = position
                repeat { position += 1 } while position < count && Byte.isPlain(text[position])
                code.append(contentsOf: UnsafeBufferPointer(start: text + start, count: position - start))
            }
        }
    }

    private func offset(of place: UnsafeMutableRawPointer) -> Int { UnsafeRawPointer(place) - UnsafeRawPointer(text) }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            let isOpening = stands("/*"), isClosing = stands("*/")
            if isOpening { depth += 1 }
            if isClosing { depth -= 1 }
            position += isOpening || isClosing ? 2 : 1
        } while depth > 0 && position < count
        code.append(Byte.space)
    }

    /// How many `#` stand before the quote of a string that begins here; nil when none does.
    private func hashesOfString() -> Int? {
        var end = position
        while end < count, text[end] == Byte.hash { end += 1 }
        return end < count && text[end] == Byte.quote ? end - position : nil
    }

    private mutating func skipString(hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        position += hashes
        let quotes = stands("\"\"\"") ? "\"\"\"" : "\"", end = quotes + fence, escape = "\\" + fence, interpolation = escape + "("
        position += quotes.utf8.count
        code.append(Byte.quote)
        while position < count {
            let byte = text[position]
            if byte == Byte.quote, stands(end) { break }
            if byte == Byte.backslash, stands(interpolation) {
                position += hashes + 2
                code.append(Byte.space)
                scanCode(endsAtParenthesis: true)
                code.append(Byte.space)
                position += 1
            } else {
                position += byte == Byte.backslash && stands(escape) ? hashes + 2 : 1
            }
        }
        position += quotes.utf8.count + hashes
        code.append(Byte.quote)
    }

    private func stands(_ word: String) -> Bool {
        let length = word.utf8.count
        return length <= count - position && word.withCString { memcmp(text + position, $0, length) == 0 }
    }

    private enum Byte {
        static var newline: UInt8 { 0x0A }
        static var space: UInt8 { 0x20 }
        static var quote: UInt8 { 0x22 }
        static var hash: UInt8 { 0x23 }
        static var opening: UInt8 { 0x28 }
        static var closing: UInt8 { 0x29 }
        static var slash: UInt8 { 0x2F }
        static var backslash: UInt8 { 0x5C }

        /// Whether a byte of code starts no token that the scan looks for.
        static func isPlain(_ byte: UInt8) -> Bool {
            byte > 0x2F || byte < 0x22 || byte != 0x22 && byte != 0x23 && byte != 0x28 && byte != 0x29 && byte != 0x2F
        }
    }
}

extension String {
    /// The lines that are not empty, without their ends.
    var filledLines: [String] {
        var text = self
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var lines: [String] = [], start = 0
            while start < bytes.count {
                let found = memchr(base + start, 0x0A, bytes.count - start)
                let end = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
                if end > start {
                    lines.append(String(decoding: UnsafeBufferPointer(start: base + start, count: end - start), as: UTF8.self))
                }
                start = end + 1
            }
            return lines
        }
    }

    /// Whether some bytes stand in it.
    func has(_ word: String) -> Bool { withCString { text in word.withCString { strstr(text, $0) != nil } } }
}
