/// A step in a coding path that was computed from the document: a member's name or an element's index.
package struct JSONCodingKey: CodingKey, Hashable {
    package let stringValue: String
    package let intValue: Int?

    package init(name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    package init(stringValue: String) { self.init(name: stringValue) }

    package init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    static let `super` = JSONCodingKey(name: "super")

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
            }
    }

    /// A path as text: `$.items[3].name`. Names of other characters than letters, digits and underscores are quoted, and long ones are cut.
    static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "$") { text, key in
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                text += "[\(index)]"
            } else {
                text += isPlain(key.stringValue) ? ".\(key.stringValue)" : "[\(JSONText.quoted(String(key.stringValue.prefix(64))))]"
            }
        }
    }
}
