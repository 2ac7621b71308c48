internal import MartletEssentials

/// Reads the type names in a response's data from `__typename`.
enum TypeNames {
    /// The maximum number of names.
    private static let limit = 1000

    /// Returns the names, or nil when the response cannot be read or has more names than the limit. Its types are then unknown.
    static func read(from body: Data) -> Set<String>? {
        guard let document = try? JSONValue(parsing: body) else { return nil }
        // The response to a batch is an array.
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
