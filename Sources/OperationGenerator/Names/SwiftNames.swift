internal import EndpointGenerator
internal import MartletGraphQL

/// Swift names for GraphQL names.
enum SwiftNames {
    /// Returns the name of a type: `UserFields` for `user_fields`. A name that begins with a capital and has no underscore stays unchanged.
    static func type(_ name: String) -> String {
        let words = name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let joined = words.joined()
        return joined.first?.isLetter == true ? joined : "Value" + joined
    }

    /// Returns the name of an operation's type: `MovieQuery` for the query `Movie`.
    static func operation(_ name: String, _ kind: GraphQLOperationKind) -> String {
        let name = type(name), suffix = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        return name.hasSuffix(suffix) && name != suffix ? name : name + suffix
    }

    /// Returns the names of properties or cases, which differ, in the order of the GraphQL names.
    static func members(_ names: [String], taken: Set<String> = []) -> [String] {
        var taken = TakenNames(taken), found = [String?](repeating: nil, count: names.count)
        let wanted = names.map(member)
        // A name that needs no conversion keeps it.
        for isUnchanged in [true, false] {
            for (index, name) in names.enumerated() where (wanted[index] == name) == isUnchanged {
                let unused = taken.unused(wanted[index])
                taken.insert(unused)
                found[index] = unused
            }
        }
        return found.compactMap(\.self)
    }

    /// Returns the name of a property or case: `newHope` for `NEW_HOPE`.
    static func member(_ name: String) -> String {
        let member = Identifier.property(name, maxLength: .max)
        return reserved.contains(member) ? member + "Value" : member
    }

    /// Names that a case of an Optional has, and members of every enum with a raw value.
    private static let reserved: Set<String> = ["none", "some", "rawValue"]
}
