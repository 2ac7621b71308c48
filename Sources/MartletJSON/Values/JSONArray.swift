/// A JSON array: a collection of JSON values, which can be changed.
///
/// The elements of a parsed document stay in the document's index until they are read. The first change copies them.
public struct JSONArray: Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Hashable,
    ExpressibleByArrayLiteral, CustomStringConvertible
{
    private enum Storage: Sendable {
        case parsed(JSONDocument, UInt32)
        case elements([JSONValue])
    }

    private var storage: Storage

    /// Creates an empty array.
    public init() { storage = .elements([]) }

    /// Creates an array from elements.
    public init(_ elements: some Sequence<JSONValue>) { storage = .elements(Array(elements)) }

    init(_ document: JSONDocument, _ place: Int) { storage = .parsed(document, UInt32(place)) }

    /// The position of the first element: 0.
    public var startIndex: Int { 0 }

    /// The position after the last element: the number of elements.
    public var endIndex: Int {
        switch storage {
        case .parsed(let document, let place): document.count(Int(place))
        case .elements(let elements): elements.count
        }
    }

    /// The element at a position, which must be less than ``endIndex``. Reading takes constant time.
    public subscript(position: Int) -> JSONValue {
        get {
            switch storage {
            case .parsed(let document, let place):
                precondition(position >= 0 && position < document.count(Int(place)), "The index is out of range")
                return document.value(document.element(position, of: Int(place)))
            case .elements(let elements): return elements[position]
            }
        }
        set {
            var elements = copied()
            storage = .elements([])
            elements[position] = newValue
            storage = .elements(elements)
        }
    }

    /// Replaces a range of elements.
    public mutating func replaceSubrange(_ range: Range<Int>, with newElements: some Collection<JSONValue>) {
        var elements = copied()
        storage = .elements([])
        elements.replaceSubrange(range, with: newElements)
        storage = .elements(elements)
    }

    private func copied() -> [JSONValue] {
        if case .elements(let elements) = storage { elements } else { Array(self) }
    }

    /// Creates an array from the values of a literal.
    public init(arrayLiteral elements: JSONValue...) { storage = .elements(elements) }

    /// Returns whether both arrays have equal elements in the same order.
    public static func == (one: JSONArray, other: JSONArray) -> Bool { one.count == other.count && one.elementsEqual(other) }

    /// Hashes the elements in order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }

    /// The array as JSON text in one line.
    public var description: String { JSONValue.array(self).description }
}
