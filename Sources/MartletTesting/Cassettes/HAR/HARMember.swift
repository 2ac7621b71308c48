/// A member of a HAR with its place, so that whatever is wrong with it can be told.
struct HARMember {
    let node: JSONNode
    /// The path, such as `log.entries[3].response`; empty for the document.
    let path: String

    /// The member of this name; nil when it is missing or null. Throws when this is no object.
    func optional(_ name: String) throws(HARError) -> HARMember? {
        guard node.kind == .object else { throw expected("an object") }
        guard let node = node.members.last(where: { $0.name == name })?.value, node.kind != .null else { return nil }
        return HARMember(node: node, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// The member of this name. Throws when there is none.
    func required(_ name: String) throws(HARError) -> HARMember {
        guard let member = try optional(name) else { throw wrong("“\(name)” is missing") }
        return member
    }

    /// The elements of this array.
    func elements() throws(HARError) -> [HARMember] {
        guard node.kind == .array else { throw expected("an array") }
        return node.elements.enumerated().map { HARMember(node: $1, path: "\(path)[\($0)]") }
    }

    /// The elements of the array of this name; none when it is missing.
    func elements(_ name: String) throws(HARError) -> [HARMember] { try optional(name)?.elements() ?? [] }

    /// This string.
    func text() throws(HARError) -> String {
        guard let text = node.text else { throw expected("a string") }
        return text
    }

    /// The string of this name; nil when it is missing.
    func text(_ name: String) throws(HARError) -> String? { try optional(name)?.text() }

    /// This whole number; one that is written as a fraction, `200.0`, counts as well.
    func integer() throws(HARError) -> Int {
        guard let text = node.number else { throw expected("a number") }
        guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
            throw wrong("\(text.prefix(40)) is not a whole number of 64 bits")
        }
        return number
    }

    /// The number of this name; nil when it is missing, no number, or none that counts (-1 stands for “not known”).
    func milliseconds(_ name: String) throws(HARError) -> Double? {
        guard let text = try optional(name)?.node.number, let number = Double(text), number >= 0, number.isFinite else { return nil }
        return number
    }

    /// Whether the truth value of this name is there and true.
    func isTrue(_ name: String) throws(HARError) -> Bool {
        guard let member = try optional(name), case .bool(let value) = member.node.kind else { return false }
        return value
    }

    /// The error that says what is wrong here.
    func wrong(_ reason: String) -> HARError {
        let position = node.position
        return .invalid(member: path.isEmpty ? "the document" : path, reason: reason, line: position.line, column: position.column)
    }

    private func expected(_ kind: String) -> HARError { wrong("\(node.kindName) where \(kind) was expected") }
}
