internal import EndpointGenerator

/// The names of a scope, and numbers for names that are alike.
struct TakenNames {
    private var names: Set<String>
    private let outer: Set<String>
    private var numbers: [String: Int] = [:]

    /// - Parameter outer: Other names that are taken.
    init(_ names: Set<String> = [], outer: Set<String> = []) {
        self.names = names
        self.outer = outer
    }

    /// Returns `name`, or `name` with a suffix or number if it is taken or hides a common type.
    mutating func unused(_ name: String) -> String {
        let (names, outer) = (names, outer)
        return Identifier.unused(name, after: &numbers) { names.contains($0) || outer.contains($0) }
    }

    mutating func insert(_ name: String) { names.insert(name) }
}
