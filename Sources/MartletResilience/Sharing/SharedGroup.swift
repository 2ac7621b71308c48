/// The name of a group in a store of a fleet.
enum SharedGroup {
    /// Returns the same text only for the same name and group.
    static func text(_ name: String, _ group: String) -> String { "\(name.utf8.count):\(name) \(group)" }
}
