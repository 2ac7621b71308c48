/// A parsed document that `JSONValue`s refer to: its bytes, their index, and look-up tables for large arrays and objects.
///
/// `@unchecked Sendable`: only `init` writes the memory, before any other thread can have a reference.
final class JSONDocument: @unchecked Sendable {
    let index: JSONIndex
    /// The tables of containers with more than ``walkLimit`` children.
    private let tables: [UInt32: JSONChildTable]
    /// Containers with at most this many children are searched linearly.
    private static let walkLimit = 8

    /// Parses a document and copies its bytes.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONSyntaxError) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        _ = copy.initialize(from: bytes)
        do {
            index = try JSONIndex(UnsafeBufferPointer(start: copy.baseAddress, count: bytes.count), limits: limits)
        } catch {
            copy.deallocate()
            throw error
        }
        tables = JSONDocument.makeTables(index)
    }

    deinit {
        index.deallocate()
        index.bytes.deallocate()
    }

    /// Throws if the document has a number that is too large for a `Double`.
    func checkNumbers() throws(JSONSyntaxError) {
        for place in 0..<index.count {
            let entry = index.entries[place]
            guard entry.kind == .number || entry.kind == .integer && entry.length > 300 else { continue }
            let length = index.numberLength(entry)
            // A number of up to 300 digits without an exponent always fits.
            guard length > 300 || JSONDocument.hasExponent(index.bytes + entry.offset, length) else { continue }
            guard Double(index.numberText(entry))?.isInfinite == true else { continue }
            throw JSONSyntaxError(
                kind: .malformed, reason: "the number is too large for a Double", position: position(of: place), path: path(of: place))
        }
    }

    private static func hasExponent(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        (0..<count).contains { bytes[$0] | 0x20 == UInt8(ascii: "e") }
    }

    /// Returns the position of a value's first byte.
    func position(of place: Int) -> JSONPosition {
        JSONPosition(
            offset: index.range(of: place).lowerBound, in: UnsafeBufferPointer(start: index.bytes, count: index.byteCount))
    }

    /// Returns the path of a value as text.
    private func path(of place: Int) -> String {
        var finder = JSONPathFinder()
        return JSONCodingKey.text(
            of: finder.path(to: place, in: index) { JSONCodingKey(name: index.keyText(index.entries[$0])) })
    }

    /// The bytes of memory that grow with the document.
    var memory: Int {
        let entry = MemoryLayout<UInt32>.stride + MemoryLayout<JSONChildTable>.stride
        return index.byteCount + index.count * MemoryLayout<JSONEntry>.stride + tables.capacity * (entry + 1)
            + tables.values.reduce(0) { $0 + $1.capacity * MemoryLayout<UInt32>.stride }
    }

    // MARK: Values

    /// Returns the value at a place.
    func value(_ place: Int) -> JSONValue { JSONDocument.value(place, in: index) ?? container(place) }

    private func container(_ place: Int) -> JSONValue {
        index.entries[place].kind == .array ? .array(JSONArray(self, place)) : .object(JSONObject(self, place))
    }

    /// Returns the scalar at a place of an index, or nil for an array or object.
    static func value(_ place: Int, in index: JSONIndex) -> JSONValue? {
        let entry = index.entries[place]
        switch entry.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string, .escapedString: return .string(index.text(entry))
        case .integer, .number:
            let whole = JSONInteger.value(
                Int64.self, index.bytes + entry.offset, index.numberLength(entry), isPlain: entry.kind == .integer)
            // `Int64` cannot represent negative zero.
            if let whole, whole != 0 || index.bytes[entry.offset] != UInt8(ascii: "-") { return .integer(whole) }
            return .number(JSONNumber(validText: index.numberText(entry)))
        default: return nil
        }
    }

    // MARK: Children

    /// Returns the number of elements or distinct members.
    func count(_ container: Int) -> Int {
        if let table = tables[UInt32(container)] { return table.count }
        guard index.entries[container].kind == .object else { return index.elementCount(container) }
        var count = 0
        index.forEachKey(of: container) { if !index.entries[$0].isDuplicateKey { count += 1 } }
        return count
    }

    /// Returns the place of an element, which must exist.
    func element(_ position: Int, of array: Int) -> Int {
        if let table = tables[UInt32(array)] { return table.places.isEmpty ? array + 1 + position : Int(table.places[position]) }
        var place = array + 1
        for _ in 0..<position { place = index.next(after: place) }
        return place
    }

    /// Returns the place of the next key that repeats no other, beginning with the given place, or the end of the object.
    func key(from place: Int, in object: Int) -> Int {
        var key = place
        let end = index.entries[object].next
        while key < end, index.entries[key].isDuplicateKey { key = index.next(after: key + 1) }
        return key
    }

    /// Returns the place of a member's value, or nil.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { text in
            if let table = tables[UInt32(object)] { return table.find(text, in: index).map { $0 + 1 } }
            var key = self.key(from: object + 1, in: object)
            let end = index.entries[object].next
            while key < end {
                if index.isKey(key, text) { return key + 1 }
                key = self.key(from: index.next(after: key + 1), in: object)
            }
            return nil
        }
    }

    // MARK: Tables

    /// Marks repeated keys, and makes the tables of large containers.
    private static func makeTables(_ index: JSONIndex) -> [UInt32: JSONChildTable] {
        var tables: [UInt32: JSONChildTable] = [:]
        for place in 0..<index.count {
            switch index.entries[place].kind {
            case .array:
                let count = index.elementCount(place, upTo: walkLimit + 1)
                if count > walkLimit { tables[UInt32(place)] = JSONChildTable(array: place, in: index) }
            case .object:
                let count = index.keyCount(place, upTo: walkLimit + 1)
                if count > walkLimit {
                    tables[UInt32(place)] = JSONChildTable(object: place, in: index)
                } else if count > 1 {
                    index.markDuplicates(of: place, areEqual: index.areEqualKeys)
                }
            default: break
            }
        }
        return tables
    }
}
