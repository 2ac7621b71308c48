/// A member of a HAR with its path, so that errors can name it.
struct HARMember {
    let node: JSONNode
    /// The path, such as `log.entries[3].response`. Empty for the document.
    let path: String

    /// Returns the member with this name, or nil if it is missing or null. Throws if this value is not an object.
    func optional(_ name: String) throws(HARError) -> HARMember? {
        guard node.kind == .object else { throw expected("an object") }
        guard let node = node.members.last(where: { $0.name == name })?.value, node.kind != .null else { return nil }
        return HARMember(node: node, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// Returns the member with this name. Throws if it is missing.
    func required(_ name: String) throws(HARError) -> HARMember {
        guard let member = try optional(name) else { throw wrong("“\(name)” is missing") }
        return member
    }

    /// Returns the elements of this array.
    func elements() throws(HARError) -> [HARMember] {
        guard node.kind == .array else { throw expected("an array") }
        return node.elements.enumerated().map { HARMember(node: $1, path: "\(path)[\($0)]") }
    }

    /// Returns the elements of the array with this name, or none if it is missing.
    func elements(_ name: String) throws(HARError) -> [HARMember] { try optional(name)?.elements() ?? [] }

    /// Returns this string.
    func text() throws(HARError) -> String {
        guard let text = node.text else { throw expected("a string") }
        return text
    }

    /// Returns the string with this name, or nil if it is missing.
    func text(_ name: String) throws(HARError) -> String? { try optional(name)?.text() }

    /// Returns this whole number. A fraction such as `200.0` is accepted.
    func integer() throws(HARError) -> Int {
        guard let text = node.number else { throw expected("a number") }
        guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
            throw wrong("\(text.prefix(40)) is not a whole number of 64 bits")
        }
        return number
    }

    /// Returns the number with this name. Nil if it is missing, not a number or negative (-1 means “not known”).
    func milliseconds(_ name: String) throws(HARError) -> Double? {
        guard let text = try optional(name)?.node.number, let number = Double(text), number >= 0, number.isFinite else { return nil }
        return number
    }

    /// Returns whether the member with this name is true.
    func isTrue(_ name: String) throws(HARError) -> Bool {
        guard let member = try optional(name), case .bool(let value) = member.node.kind else { return false }
        return value
    }

    /// Returns the error for this member.
    func wrong(_ reason: String) -> HARError {
        let position = node.position
        return .invalid(member: path.isEmpty ? "the document" : path, reason: reason, line: position.line, column: position.column)
    }

    private func expected(_ kind: String) -> HARError { wrong("\(node.kindName) where \(kind) was expected") }
}
