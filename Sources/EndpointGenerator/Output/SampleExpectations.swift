internal import MartletEssentials
internal import MartletJSON

/// The expectations of a test about a decoded sample.
struct SampleExpectations {
    /// The maximum number of expectations.
    static let limit = 10
    private(set) var conditions: [String] = []

    /// Chooses expectations about a value of a type.
    ///
    /// - Parameters:
    ///   - value: The sample.
    ///   - type: The type that it is decoded as.
    ///   - name: The name of the decoded value.
    init(_ value: JSONValue, _ type: SwiftType, name: String) {
        add(value, type, Place(source: name))
    }

    /// An expression in the test.
    private struct Place {
        let source: String
        /// Whether the expression's last part is Optional, so that a member needs a question mark.
        var isOptional = false
        /// Whether an earlier part is Optional, so that the value is Optional too.
        var isChained = false

        func member(_ text: String, isOptional: Bool = false) -> Place {
            Place(source: source + (self.isOptional ? "?" : "") + text, isOptional: isOptional, isChained: isChained || self.isOptional)
        }
    }

    private mutating func add(_ value: JSONValue, _ type: SwiftType, _ place: Place) {
        guard conditions.count < SampleExpectations.limit else { return }
        switch (type, value) {
        case (.optional, .null): expect("\(place.source) == nil")
        case (.optional(let inner), _):
            add(value, inner, Place(source: place.source, isOptional: true, isChained: place.isChained))
        case (.array(let element), .array(let elements)):
            expect("\(place.member(".count").source) == \(elements.count)")
            guard let first = elements.first, !element.isOptional else { return }
            add(first, element, place.member(".first", isOptional: true))
        case (.dictionary(let inner), .object(let members)):
            expect("\(place.member(".count").source) == \(members.count)")
            guard let first = members.first, !inner.isOptional, first.key.utf8.count <= 40, SampleExpectations.isPlain(first.key) else {
                return
            }
            add(first.value, inner, place.member("[\(SourceText.quoted(first.key))]", isOptional: true))
        case (.object(let model), .object(let members)):
            for property in model.properties {
                let inner = place.member(".\(property.name)")
                if let member = members[property.member] { add(member, property.type, inner) } else { expect("\(inner.source) == nil") }
            }
        default: scalar(value, type, place.source, isOptional: place.isOptional || place.isChained)
        }
    }

    private mutating func scalar(_ value: JSONValue, _ type: SwiftType, _ source: String, isOptional: Bool) {
        switch (type, value) {
        case (.bool, .bool(let flag)): expect(isOptional ? "\(source) == \(flag)" : "\(flag ? "" : "!")\(source)")
        case (.int, .integer(let number)): expect("\(source) == \(SourceText.grouped("\(number)"))")
        case (.uint64, _): expect("\(source) == \(SourceText.grouped(value.description))")
        case (.double, .number(let number)) where Double(number.description).map { "\($0)" } == number.description:
            // The compiler warns about the loss of precision in subnormal literals.
            if !number.doubleValue.isSubnormal { expect("\(source) == \(number.description)") }
        case (.string, .string(let text)) where text.utf8.count <= 60 && SampleExpectations.isPlain(text):
            expect("\(source) == \(SourceText.quoted(text))")
        case (.uuid, .string(let text)): expect("\(source) == UUID(uuidString: \"\(text)\")")
        case (.url, .string(let text)) where text.utf8.count <= 60: expect("\(source) == URL(string: \(SourceText.quoted(text)))")
        case (.openEnum(let model), .string(let text)):
            guard let item = model.cases.first(where: { $0.value == text }) else { return }
            expect("\(source) == .known(.\(Identifier.escaped(item.name)))")
        case (.date, .string(let text)):
            guard !text.contains("."), let date = StringFacts.date(text) else { return }
            expect("\(source) == Date(timeIntervalSince1970: \(SourceText.grouped("\(Int64(date.timeIntervalSince1970))")))")
        default: break
        }
    }

    /// Whether the macro `#expect` can repeat a text. It doesn't escape a quote or backslash with a combining mark.
    private static func isPlain(_ text: String) -> Bool {
        let special: Set<Unicode.Scalar> = ["\"", "\\"]
        return text.allSatisfy { $0.unicodeScalars.count == 1 || !special.contains($0.unicodeScalars.first ?? " ") }
    }

    /// Adds a condition, unless it is too long to be read.
    private mutating func expect(_ condition: String) {
        if conditions.count < SampleExpectations.limit, condition.count <= 80 { conditions.append(condition) }
    }
}
