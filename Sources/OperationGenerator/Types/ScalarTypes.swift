/// The Swift types of scalars.
struct ScalarTypes {
    private let configured: [String: SwiftTypeName]
    /// The custom scalars that have no Swift type, and where the first was found.
    private(set) var unknown: [String: String] = [:]
    /// The names of the Swift types that are used.
    private(set) var used: Set<String> = []

    init(_ configured: [String: String]) { self.configured = configured.compactMapValues(SwiftTypeName.init) }

    /// Returns the Swift type of a scalar.
    ///
    /// - Parameter place: Where the scalar is used, in words.
    mutating func type(of scalar: String, at place: @autoclosure () -> String) -> String {
        if let type = configured[scalar] {
            used.formUnion(type.names)
            return type.text
        }
        if let name = Self.known[scalar] {
            used.insert(name)
            return name
        }
        if unknown[scalar] == nil { unknown[scalar] = place() }
        return "String"
    }

    /// Returns the modules that declare the types in a source.
    func imports(of source: String) -> Set<String> {
        let lines = source.utf8.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let words = Set(lines.filter { !$0.starts(with: "///".utf8) }.flatMap(Self.names))
        // The compiler warns about a public import that is not used.
        var modules: Set<String> = words.contains { $0.hasPrefix("GraphQL") } ? ["MartletGraphQL"] : []
        for name in used.flatMap({ Self.names(in: $0.utf8[...]) }) where words.contains(name) {
            if let dot = name.firstIndex(of: ".") {
                modules.insert(String(name[..<dot]))
            } else if Self.foundation.contains(name) {
                modules.insert("Foundation")
            } else if !Self.standard.contains(name) {
                modules.insert("MartletGraphQL")
            }
        }
        return modules
    }

    /// Returns the words of a text, with the dots in them.
    private static func names(in text: Substring.UTF8View) -> [String] {
        text.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
            case UInt8(ascii: "."), UInt8(ascii: "_"), 0x80...: false
            default: true
            }
        }.map { String(Substring($0)) }
    }

    /// The types of Foundation that need no module before them.
    private static let foundation: Set<String> = ["Data", "Date", "Decimal", "URL", "UUID"]
    private static let standard: Set<String> = [
        "Bool", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    func merging(_ other: ScalarTypes) -> ScalarTypes {
        var merged = self
        merged.unknown.merge(other.unknown) { first, _ in first }
        merged.used.formUnion(other.used)
        return merged
    }

    private static let known = [
        "Boolean": "Bool", "Float": "Double", "ID": "GraphQLID", "Int": "Int", "String": "String", "Upload": "GraphQLUpload",
    ]
}
