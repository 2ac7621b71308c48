/// A step in a coding path that was computed from the document: a member's name or an element's index.
struct JSONCodingKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) { self.init(name: stringValue) }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    static let `super` = JSONCodingKey(name: "super")

    /// A path as text: `$.items[3].name`.
    static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "$") { text, key in
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                text += "[\(index)]"
            } else {
                text += ".\(key.stringValue)"
            }
        }
    }
}
