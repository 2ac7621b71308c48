internal import MartletEssentials

/// The names of the types in an answer's data, read from `__typename`.
enum TypeNames {
    /// How many are collected.
    private static let limit = 1000

    /// The names; nil when the answer can't be read, or has more than are collected: then nothing is known of what is in it.
    static func read(from body: Data) -> Set<String>? {
        guard let document = try? JSONValue(parsing: body) else { return nil }
        // A batch is answered by an array.
        var names: Set<String> = [], rest = (document.arrayValue ?? [document]).compactMap { $0["data"] }
        while let value = rest.popLast() {
            switch value {
            case .object(let members):
                if let name = members["__typename"]?.stringValue { names.insert(name) }
                guard names.count <= limit else { return nil }
                rest.append(contentsOf: members.values)
            case .array(let elements): rest.append(contentsOf: elements)
            default: break
            }
        }
        return names
    }
}
