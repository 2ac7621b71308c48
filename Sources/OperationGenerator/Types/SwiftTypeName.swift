internal import EndpointGenerator
internal import MartletGraphQL

/// The Swift type of a scalar: `Payments.Money`, `GraphQLScalarText<Decimal>`, `[String: Int]`.
struct SwiftTypeName {
    /// The source of the type.
    private(set) var text = ""
    /// The names in the type, with the modules and types before them: `Payments.Money`.
    private(set) var names: Set<String> = []
    private var rest: Substring.UTF8View

    /// Returns nil for a text that is not a type.
    init?(_ text: String) {
        rest = text.utf8[...]
        guard type(depth: 0), rest.isEmpty else { return nil }
    }

    /// Returns the names in a type, such as `[GraphQLID]?`, with the dots in them.
    static func names(in type: String) -> [String] {
        type.utf8.split { !$0.isNameContinue && $0 != UInt8(ascii: ".") }.map { String(Substring($0)) }
    }

    private static let maxDepth = 16

    private mutating func type(depth: Int) -> Bool {
        guard depth < Self.maxDepth else { return false }
        if take("[") {
            guard type(depth: depth + 1), !take(":", ": ") || type(depth: depth + 1), take("]") else { return false }
        } else {
            guard name() else { return false }
            if take("<") {
                repeat { guard type(depth: depth + 1) else { return false } } while take(",", ", ")
                guard take(">") else { return false }
            }
        }
        // The schema says whether the scalar itself may be null.
        if depth > 0 { _ = take("?") }
        return true
    }

    private mutating func name() -> Bool {
        var words: [String] = []
        repeat {
            let word = String(rest.prefix { $0.isNameContinue }) ?? ""
            guard Identifier.isModuleName(word), !["Type", "Protocol"].contains(word) else { return false }
            rest = rest.dropFirst(word.utf8.count)
            words.append(word)
        } while takeByte(".")
        // The data of an operation has the same name.
        let name = words == ["Data"] ? "Foundation.Data" : words.joined(separator: ".")
        names.insert(name)
        text += name
        return true
    }

    /// Takes a sign with the spaces around it, and writes it.
    private mutating func take(_ sign: Unicode.Scalar, _ written: String? = nil) -> Bool {
        let before = rest
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        guard takeByte(sign) else {
            rest = before
            return false
        }
        if !"]>?".unicodeScalars.contains(sign) { rest = rest.drop { $0 == UInt8(ascii: " ") } }
        text += written ?? String(sign)
        return true
    }

    private mutating func takeByte(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }
}
