internal import MartletHTTP

/// The names that follow from a method and a path: `GET /users/{id}` is `GetUser`, of the `UsersRepository`.
struct DerivedNames {
    let endpoint: String
    let repository: String
    /// The name of one element of the collection: `Order` for `/users/{id}/orders`.
    let element: String

    init(_ method: HTTPMethod, _ path: PathTemplate) {
        let segments = path.segments.filter { segment in segment.map { !DerivedNames.isPrefix($0) } ?? true }
        let literals = segments.compactMap { $0 }
        let last = literals.last ?? "root"
        let endsWithValue = segments.last == .some(nil)
        let isCollection = !endsWithValue && Plurals.isPlural(last)
        let parent = DerivedNames.parent(of: segments)
        let noun = Identifier.type(Plurals.singular(last)), owner = parent.map { Identifier.type(Plurals.singular($0)) } ?? ""
        let plain = Identifier.type(last)
        element = noun
        switch method {
        case .get: endpoint = isCollection ? "List\(owner)\(plain)" : endsWithValue ? "Get\(owner)\(noun)" : "Get\(owner)\(plain)"
        case .post where isCollection: endpoint = "Create\(owner)\(noun)"
        // `POST /users/{id}/activate` names an action.
        case .post where !endsWithValue && parent != nil: endpoint = plain + owner
        case .put: endpoint = "Replace" + owner + (endsWithValue ? noun : plain)
        case .patch: endpoint = "Update" + owner + (endsWithValue ? noun : plain)
        default: endpoint = Identifier.type(method.rawValue.lowercased()) + owner + (endsWithValue ? noun : plain)
        }
        let collection = isCollection || endsWithValue ? last : literals.last(where: Plurals.isPlural) ?? last
        repository = Identifier.type(collection) + "Repository"
    }

    /// Whether a segment only names an API or its version: `api`, `v1`.
    private static func isPrefix(_ segment: String) -> Bool {
        segment.lowercased() == "api" || segment.hasPrefix("v") && segment.count > 1 && segment.dropFirst().allSatisfy(\.isNumber)
    }

    /// Returns the collection whose element owns the last literal: `users` in `/users/{id}/orders`.
    private static func parent(of segments: [String?]) -> String? {
        guard let last = segments.lastIndex(where: { $0 != nil }), last >= 2, segments[last - 1] == nil else { return nil }
        return segments[..<(last - 1)].compactMap { $0 }.last
    }
}
