internal import MartletHTTP

/// A path with named values, such as `/users/{id:Int}/orders`.
struct PathTemplate: Sendable, Hashable {
    /// A type that a value of the path can have.
    enum ValueType: String, Sendable, CaseIterable {
        case string = "String"
        case int = "Int"
        case int64 = "Int64"
        case uuid = "UUID"
    }

    /// A named value.
    struct Placeholder: Sendable, Hashable {
        let name: String
        let type: ValueType
    }

    /// A part of the path.
    enum Part: Sendable, Hashable {
        case literal(String)
        case value(Placeholder)
    }

    let parts: [Part]

    /// Parses a template.
    init(_ text: String) throws(GeneratorError) {
        var reading = Reading(text: Array(text.unicodeScalars), path: text)
        parts = try reading.parts()
    }

    var placeholders: [Placeholder] {
        parts.compactMap { if case .value(let placeholder) = $0 { placeholder } else { nil } }
    }

    /// The template without types: `/users/{id}/orders`.
    var text: String {
        let text = parts.map { part in
            switch part {
            case .literal(let literal): literal
            case .value(let placeholder): "{\(placeholder.name)}"
            }
        }.joined()
        return text.hasPrefix("/") ? text : "/" + text
    }

    /// The segments between slashes, each with its literal text, or nil for a segment with a value.
    var segments: [String?] {
        text.split(separator: "/").map { $0.contains("{") ? nil : String($0) }
    }

    /// A parser of path templates.
    private struct Reading {
        let text: [Unicode.Scalar]
        let path: String
        var place = 0

        func failure(_ reason: String, at place: Int? = nil) -> GeneratorError {
            .invalidPath(path, column: (place ?? self.place) + 1, reason: reason)
        }

        mutating func parts() throws(GeneratorError) -> [Part] {
            guard !text.isEmpty else { throw failure("it is empty. Write / for the base URL itself") }
            if path.contains("://") { throw failure("it is a full URL. Write only the path; the client has the base URL") }
            var parts: [Part] = [], literal = ""
            while place < text.count {
                if text[place] == "{" {
                    if !literal.isEmpty { parts.append(.literal(literal)) }
                    literal = ""
                    let start = place
                    let placeholder = try self.placeholder()
                    if parts.contains(where: { if case .value(let other) = $0 { other.name == placeholder.name } else { false } }) {
                        throw failure("the name \(placeholder.name) occurs twice", at: start)
                    }
                    if case .value = parts.last { throw failure("two values need text between them", at: start) }
                    parts.append(.value(placeholder))
                } else {
                    try checkLiteral()
                    literal.unicodeScalars.append(text[place])
                    place += 1
                }
            }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            try checkSegments()
            return parts
        }

        /// Reads `{name}` or `{name:Type}`.
        private mutating func placeholder() throws(GeneratorError) -> Placeholder {
            let start = place
            guard let end = text[start...].firstIndex(of: "}") else { throw failure("the brace is not closed") }
            place = end + 1
            let content = String(String.UnicodeScalarView(text[(start + 1)..<end]))
            let halves = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = halves[0]
            guard !name.isEmpty else { throw failure("the placeholder has no name. Write {id} or {id:Int}", at: start) }
            guard name.unicodeScalars.allSatisfy({ Identifier.isWordScalar($0) || $0 == "-" }), name.contains(where: \.isLetter) else {
                throw failure("the name \"\(name)\" needs letters, and may have digits, _ and -", at: start)
            }
            guard halves.count == 2 else { return Placeholder(name: name, type: .string) }
            guard let type = ValueType(rawValue: halves[1]) else {
                let types = ValueType.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure("the type \"\(halves[1])\" is unknown. Use \(types)", at: start)
            }
            return Placeholder(name: name, type: type)
        }

        private func checkLiteral() throws(GeneratorError) {
            switch text[place] {
            case "}": throw failure("the brace is not opened")
            case "?": throw failure("it has a query. Give the query with --query")
            case "#": throw failure("a path has no fragment")
            case ":" where place == 0 || text[place - 1] == "/": throw failure("write {id}, not :id")
            case "%":
                let digits = text[(place + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else {
                    throw failure("% needs two hexadecimal digits")
                }
            case let scalar where PercentEncoding.escapeIllegal(String(scalar)) != String(scalar):
                throw failure("a path can't have this character. Percent-encode it")
            default: break
            }
        }

        /// Refuses the segments that a client would refuse, and empty ones.
        private func checkSegments() throws(GeneratorError) {
            var column = 0
            for (index, segment) in path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                let isEnd = index == 0 || column + segment.unicodeScalars.count == text.count
                if segment.isEmpty, !isEnd { throw failure("a segment is empty", at: column) }
                if [".", ".."].contains(PercentEncoding.unescapedText(segment)) {
                    throw failure("the segment \(segment) is not allowed", at: column)
                }
                column += segment.unicodeScalars.count + 1
            }
        }
    }
}

/// The methods of endpoints.
enum EndpointMethod {
    /// The standard methods that a client can send, and QUERY.
    static let all = HTTPMethod.standard + ["QUERY"]

    /// Returns the method with a name in any case.
    static func find(_ name: String) throws(GeneratorError) -> HTTPMethod {
        guard let method = all.first(where: { $0.rawValue == name.uppercased() }) else { throw .unknownMethod(name) }
        return method
    }
}

extension HTTPMethod {
    /// Whether the method's requests may have a body.
    var mayHaveBody: Bool { ![.get, .head, .trace].contains(self) }

    /// The method as Swift source: `.get` or `"QUERY"`.
    var source: String { HTTPMethod.standard.contains(self) ? ".\(rawValue.lowercased())" : "\"\(rawValue)\"" }
}
