/// A member of a HAR with its place, so that whatever is wrong with it can be told.
struct HARMember {
    let document: JSONDocument
    let node: JSONNode
    /// `log.entries[3].response`
    let path: String

    /// The root of a document.
    init(_ document: JSONDocument) {
        self.init(document: document, node: document.root, path: "")
    }

    private init(document: JSONDocument, node: JSONNode, path: String) {
        self.document = document
        self.node = node
        self.path = path
    }

    /// The member of this name; nil when it is missing or null. Throws when this is no object.
    func optional(_ name: String) throws(HARError) -> HARMember? {
        guard case .object(let members) = node.kind else { throw expected("an object") }
        guard let node = members.last(where: { $0.name == name })?.value else { return nil }
        if case .null = node.kind { return nil }
        return HARMember(document: document, node: node, path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// The member of this name. Throws when there is none.
    func required(_ name: String) throws(HARError) -> HARMember {
        guard let member = try optional(name) else { throw wrong("“\(name)” is missing") }
        return member
    }

    /// The elements of this array.
    func elements() throws(HARError) -> [HARMember] {
        guard case .array(let elements) = node.kind else { throw expected("an array") }
        return elements.enumerated().map { HARMember(document: document, node: $1, path: "\(path)[\($0)]") }
    }

    /// The elements of the array of this name; none when it is missing.
    func elements(_ name: String) throws(HARError) -> [HARMember] { try optional(name)?.elements() ?? [] }

    /// This string.
    func text() throws(HARError) -> String {
        guard case .string = node.kind else { throw expected("a string") }
        return document.text(node)
    }

    /// The string of this name; nil when it is missing.
    func text(_ name: String) throws(HARError) -> String? { try optional(name)?.text() }

    /// This whole number; one that is written as a fraction, `200.0`, counts as well.
    func integer() throws(HARError) -> Int {
        let text = document.number(node)
        guard case .number = node.kind else { throw expected("a number") }
        guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
            throw wrong("\(text.prefix(40)) is not a whole number of 64 bits")
        }
        return number
    }

    /// The number of this name; nil when it is missing, no number, or none that counts (-1 stands for “not known”).
    func milliseconds(_ name: String) throws(HARError) -> Double? {
        guard let member = try optional(name), case .number = member.node.kind, let number = Double(member.document.number(member.node)),
            number >= 0, number.isFinite
        else { return nil }
        return number
    }

    /// Whether the truth value of this name is there and true.
    func isTrue(_ name: String) throws(HARError) -> Bool {
        guard let member = try optional(name), case .bool(let value) = member.node.kind else { return false }
        return value
    }

    /// The error that says what is wrong here.
    func wrong(_ reason: String) -> HARError {
        let (line, column) = JSONDocument.position(of: node.range.lowerBound, in: document.bytes)
        return .invalid(member: path.isEmpty ? "the document" : path, reason: reason, line: line, column: column)
    }

    private func expected(_ kind: String) -> HARError { wrong("\(node.name) where \(kind) was expected") }
}
