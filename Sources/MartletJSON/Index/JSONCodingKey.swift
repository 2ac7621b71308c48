/// A step of a coding path in a document: the name of a member or the index of an element.
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

    /// Returns a path as text: `$.items[3].name`. Names with characters besides letters, digits and underscores are quoted, and long ones
    /// are truncated.
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
