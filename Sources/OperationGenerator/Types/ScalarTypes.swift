internal import MartletGraphQL

/// The Swift types of scalars.
struct ScalarTypes {
    private let configured: [String: SwiftTypeName]
    /// The custom scalars that have no Swift type, and where the first was found.
    private var unknown: [String: String] = [:]
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

    /// Returns the modules that declare the names in types, such as `[GraphQLID]?`.
    func modules(of types: [String]) -> Set<String> {
        var modules: Set<String> = []
        for name in Set(types.flatMap(SwiftTypeName.names)) {
            if TopLevelNames.libraryNames.contains(name) {
                modules.insert("MartletGraphQL")
            } else if used.contains(name), !Self.standard.contains(name) {
                let module = name.firstIndex(of: ".").map { String(name[..<$0]) }
                modules.insert(module ?? (Self.foundation.contains(name) ? "Foundation" : "MartletGraphQL"))
            }
        }
        return modules
    }

    /// The types of Foundation that need no module before them.
    private static let foundation: Set<String> = ["Data", "Date", "Decimal", "URL", "UUID"]
    private static let standard: Set<String> = [
        "Bool", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    /// The custom scalars that have no Swift type.
    var problems: [OperationGeneratorError.Problem] {
        unknown.sorted { $0.key < $1.key }.map { scalar, place in
            .init(
                "\(place) has the custom scalar \"\(scalar)\", whose Swift type is not known: give it with --scalar \(scalar)=Type, "
                    + "such as --scalar \(scalar)=String")
        }
    }

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
