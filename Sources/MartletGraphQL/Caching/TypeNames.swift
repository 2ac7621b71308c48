internal import MartletCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The names of the types in an answer's data, read from `__typename`.
enum TypeNames {
    /// How many are collected.
    private static let limit = 1000

    static func read(from body: Data) -> Set<String> {
        guard let document = try? JSONValue(parsing: body) else { return [] }
        // A batch is answered by an array.
        var names: Set<String> = [], rest = (document.arrayValue ?? [document]).compactMap { $0["data"] }
        while let value = rest.popLast(), names.count < limit {
            switch value {
            case .object(let members):
                if let name = members["__typename"]?.stringValue { names.insert(name) }
                rest.append(contentsOf: members.values)
            case .array(let elements): rest.append(contentsOf: elements)
            default: break
            }
        }
        return names
    }
}
