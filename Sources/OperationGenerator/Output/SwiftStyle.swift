internal import EndpointGenerator

/// The modifiers and comments of declarations.
struct SwiftStyle {
    let isPublic: Bool
    let isNonisolated: Bool
    let hasDocumentation: Bool
    private let isHashable: Bool
    private let isJSONReadable: Bool

    init(_ options: OperationOptions) {
        isPublic = options.isPublic
        isNonisolated = options.isNonisolated
        hasDocumentation = options.hasDocumentation
        isHashable = options.isHashable
        isJSONReadable = options.isJSONReadable
    }

    /// `public ` or nothing.
    var access: String { isPublic ? "public " : "" }
    /// `nonisolated ` or nothing.
    var isolation: String { isNonisolated ? "nonisolated " : "" }
    /// The modifiers of a type.
    var type: String { access + isolation }

    /// Returns the conformances of a type of values, after a protocol for coding.
    func conformances(_ coding: String? = nil) -> String {
        [coding, isHashable ? "Hashable" : nil, "Sendable"].compactMap(\.self).joined(separator: ", ")
    }

    /// Whether a type of data is written as `JSONReadable`, because all are, or because the compiler can't synthesize its decoding.
    func isReadable(_ type: DataType) -> Bool {
        switch type {
        case .structure(let type): isJSONReadable || type.hasOwnDecoding
        case .variants: true
        case .fragment: false
        }
    }

    /// The conformance of an operation after its kind, or nothing.
    var operationConformance: String { isHashable ? ", Hashable" : "" }

    /// Writes a description of the schema, or for a public declaration without one a text of its own.
    func comment(_ description: String?, otherwise text: String? = nil, to source: inout SourceText) {
        let lines = hasDocumentation ? description.map { Self.lines(of: $0, width: 136 - source.indentation) } ?? [] : []
        if lines.isEmpty, isPublic, let text { return source.line("/// \(text)") }
        for line in lines { source.line(line.isEmpty ? "///" : "/// \(line)") }
    }

    /// Whether `comment` writes lines for a description.
    func hasComment(_ description: String?) -> Bool {
        isPublic || hasDocumentation && description.map { !Self.lines(of: $0, width: .max).isEmpty } ?? false
    }

    /// Returns the line of `@available` for a reason, or nil without one.
    static func deprecation(_ reason: String?) -> String? {
        guard let reason else { return nil }
        let line = SourceText.quoted(lines(of: reason, width: .max).filter { !$0.isEmpty }.joined(separator: " "))
        return line == "\"\"" ? "@available(*, deprecated)" : "@available(*, deprecated, message: \(line))"
    }

    /// Returns the lines of a text, without characters that a reader does not see or that end a line of Swift.
    private static func lines(of text: String, width: Int) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line -> [String] in
            let scalars = line.unicodeScalars.map { $0 == "\t" ? " " : SourceText.isInvisible($0) ? "?" : $0 }
            // Two backticks would be a link of DocC to a symbol.
            let clean = String(String.UnicodeScalarView(scalars))
            return wrapped(clean.utf8.contains(UInt8(ascii: "`")) ? clean.replacing("``", with: "`") : clean, width: width)
        }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func wrapped(_ line: String, width: Int) -> [String] {
        var trimmed = line[...]
        while trimmed.last == " " { trimmed.removeLast() }
        if trimmed.count <= width { return [String(trimmed)] }
        var lines: [String] = [], current = ""
        for word in trimmed.split(separator: " ") {
            if !current.isEmpty, current.count + 1 + word.count > width {
                lines.append(current)
                current = ""
            }
            current += (current.isEmpty ? "" : " ") + word
        }
        return lines + [current]
    }
}

extension SourceText {
    /// Writes a declaration after its `@available`, in one line if there is room.
    mutating func declaration(_ line: String, deprecation reason: String?) {
        guard let attribute = SwiftStyle.deprecation(reason) else { return self.line(line) }
        if attribute.count + 1 + line.count + indentation <= 140 { return self.line("\(attribute) \(line)") }
        self.line(attribute)
        self.line(line)
    }
}
