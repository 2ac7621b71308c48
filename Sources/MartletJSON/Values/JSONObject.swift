/// A JSON object: a collection of named JSON values, which keeps the order of its members.
///
/// The members of a parsed document stay in the document's index until they are read. The first change copies them. Two objects are equal
/// if they have equal members in any order.
public struct JSONObject: Sendable {
    /// A member of the object, with its name and value.
    public typealias Element = (key: String, value: JSONValue)

    fileprivate enum Storage: Sendable {
        case parsed(JSONDocument, UInt32)
        case members(OwnMembers)
    }

    /// A name that is compared byte for byte, as in a parsed document. `String` would compare by Unicode equivalence.
    fileprivate struct Name: Hashable, Sendable {
        let text: String

        static func == (one: Name, other: Name) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    fileprivate struct OwnMembers: Sendable {
        var names: [Name] = []
        var values: [Name: JSONValue] = [:]

        mutating func set(_ value: JSONValue?, forKey key: String) {
            let name = Name(text: key)
            guard value != nil || values[name] != nil else { return }
            if values.updateValue(value ?? .null, forKey: name) == nil { names.append(name) }
            guard value == nil else { return }
            values[name] = nil
            names.removeAll { $0 == name }
        }
    }

    fileprivate var storage: Storage

    /// Creates an empty object.
    public init() { storage = .members(OwnMembers()) }

    /// Creates an object from members in their order, with the last value of a name that occurs twice.
    public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
        var own = OwnMembers()
        for (key, value) in members { own.set(value, forKey: key) }
        storage = .members(own)
    }

    /// Creates an object from the members of a dictionary, sorted by name.
    public init(_ members: [String: JSONValue]) {
        self.init(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) })
    }

    init(_ document: JSONDocument, _ place: Int) { storage = .parsed(document, UInt32(place)) }

    /// The value of the member with this name, or nil if it is missing. Setting nil removes the member.
    ///
    /// If a parsed object has a name twice, its first value counts.
    public subscript(key: String) -> JSONValue? {
        get {
            switch storage {
            case .parsed(let document, let place): document.member(key, of: Int(place)).map(document.value)
            case .members(let members): members.values[Name(text: key)]
            }
        }
        set {
            var own = copied()
            storage = .members(OwnMembers())
            own.set(newValue, forKey: key)
            storage = .members(own)
        }
    }

    /// The names of the members, in their order.
    public var keys: [String] { map(\.key) }

    /// The values of the members, in their order.
    public var values: [JSONValue] { map(\.value) }

    /// The members as a dictionary, without their order. Of names that are equivalent in Unicode, only the first is kept.
    public var dictionary: [String: JSONValue] {
        Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns an object with the same names in the same order, and the values that `transform` returns.
    public func mapValues<Failure: Error>(_ transform: (JSONValue) throws(Failure) -> JSONValue) throws(Failure) -> JSONObject {
        var own = OwnMembers()
        for (key, value) in self { own.set(try transform(value), forKey: key) }
        var object = JSONObject()
        object.storage = .members(own)
        return object
    }

    private func copied() -> OwnMembers {
        if case .members(let members) = storage { return members }
        var own = OwnMembers()
        for (key, value) in self { own.set(value, forKey: key) }
        return own
    }
}

extension JSONObject: Collection {
    /// The position of a member.
    public struct Index: Comparable, Sendable {
        fileprivate let place: Int

        /// Returns whether the left position precedes the right one.
        public static func < (one: Index, other: Index) -> Bool { one.place < other.place }
    }

    /// The position of the first member.
    public var startIndex: Index {
        switch storage {
        case .parsed(let document, let place): Index(place: document.key(from: Int(place) + 1, in: Int(place)))
        case .members: Index(place: 0)
        }
    }

    /// The position after the last member.
    public var endIndex: Index {
        switch storage {
        case .parsed(let document, let place): Index(place: document.index.entries[Int(place)].next)
        case .members(let members): Index(place: members.names.count)
        }
    }

    /// The number of members.
    public var count: Int {
        switch storage {
        case .parsed(let document, let place): document.count(Int(place))
        case .members(let members): members.names.count
        }
    }

    /// Returns the position of the next member.
    public func index(after index: Index) -> Index {
        switch storage {
        case .parsed(let document, let place):
            checkIndex(index, document, Int(place))
            return Index(place: document.key(from: document.index.next(after: index.place + 1), in: Int(place)))
        case .members: return Index(place: index.place + 1)
        }
    }

    /// Traps unless an index refers to a key of this object.
    private func checkIndex(_ index: Index, _ document: JSONDocument, _ object: Int) {
        let isInside = index.place > object && index.place < document.index.entries[object].next
        precondition(isInside && document.index.entries[index.place].isKey, "The index is not one of this object")
    }

    /// The member at a position.
    public subscript(index: Index) -> Element {
        switch storage {
        case .parsed(let document, let place):
            checkIndex(index, document, Int(place))
            return (document.index.keyText(document.index.entries[index.place]), document.value(index.place + 1))
        case .members(let members):
            let name = members.names[index.place]
            return (name.text, members.values[name] ?? .null)
        }
    }
}

extension JSONObject: Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// Creates an object from the members of a literal, with the last value of a name that occurs twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements.map { (key: $0.0, value: $0.1) }) }

    /// Returns whether both objects have equal members, in any order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
    }

    /// Hashes the members independently of their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (key, value) in self {
            var member = Hasher()
            member.combine(Name(text: key))
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }

    /// The object as JSON text in one line.
    public var description: String { JSONValue.object(self).description }
}
