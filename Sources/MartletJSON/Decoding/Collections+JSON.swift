extension Array: JSONIndexDecodable where Element: Decodable {
    static func decode(_ state: JSONDecodingState, at place: Int, into memory: UnsafeMutableRawPointer) throws {
        memory.initializeMemory(as: Self.self, to: try state.array(Element.self, at: place))
    }
}

extension Dictionary: JSONIndexDecodable where Key: Decodable, Value: Decodable {
    static func decode(_ state: JSONDecodingState, at place: Int, into memory: UnsafeMutableRawPointer) throws {
        guard Key.self == String.self else {
            memory.initializeMemory(as: Self.self, to: try Self(from: JSONValueDecoder(state: state, place: place)))
            return
        }
        memory.initializeMemory(as: [String: Value].self, to: try state.dictionary(Value.self, at: place))
    }
}

extension JSONDecodingState {
    /// Decodes an array without containers.
    func array<Element: Decodable>(_ type: Element.Type, at place: Int) throws -> [Element] {
        let plan = plan(type)
        switch plan.kind {
        case .string: return try cast(strings(place))
        case .int: return try cast(ints(place))
        case .double: return try cast(doubles(place))
        default: return try elements(place) { try self.decode(type, at: $0, plan) }
        }
    }

    func strings(_ place: Int) throws -> [String] { try elements(place) { try self.string($0) } }
    func ints(_ place: Int) throws -> [Int] { try elements(place) { try self.integer(Int.self, $0) } }
    func doubles(_ place: Int) throws -> [Double] { try elements(place) { try self.double($0) } }

    @inline(__always)
    private func elements<Element>(_ array: Int, _ decode: (_ place: Int) throws -> Element) throws -> [Element] {
        guard entry(array).rawKind == JSONEntry.Kind.array.rawValue else { throw mismatch([Any].self, array) }
        let end = entry(array).next, count = index.elementCount(array)
        // All empty arrays share one storage, whose count must not be written.
        if count == 0 { return [] }
        let reserved = reservedCapacity(count, Element.self)
        var place = array &+ 1
        var elements = try [Element](unsafeUninitializedCapacity: reserved) { buffer, initialized in
            while initialized < reserved {
                (buffer.baseAddress! + initialized).initialize(to: try decode(place))
                initialized &+= 1
                place = index.next(after: place)
            }
        }
        while place < end {
            elements.append(try decode(place))
            place = index.next(after: place)
        }
        return elements
    }

    /// Decodes a dictionary without containers. Its keys are the names in the document.
    func dictionary<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> [String: Value] {
        guard entry(place).rawKind >= JSONEntry.Kind.object.rawValue, entry(place).isContainer else {
            throw mismatch([String: Any].self, place)
        }
        let plan = plan(type)
        switch plan.kind {
        case .string: return try cast(members(place) { try self.string($0) })
        case .int: return try cast(members(place) { try self.integer(Int.self, $0) })
        case .double: return try cast(members(place) { try self.double($0) })
        case .bool: return try cast(members(place) { try self.bool($0) })
        default: return try members(place) { try self.decode(type, at: $0, plan) }
        }
    }

    /// Returns the number of elements to reserve memory for: at most 1 MiB or 16 elements.
    ///
    /// Without this limit, a document with many zeros could allocate any amount of memory for large elements.
    @inline(__always)
    private func reservedCapacity<Element>(_ count: Int, _ type: Element.Type) -> Int {
        min(count, max(16, (1 << 20) / max(MemoryLayout<Element>.stride, 1)))
    }

    @inline(__always)
    private func members<Value>(_ object: Int, _ decode: (_ place: Int) throws -> Value) throws -> [String: Value] {
        var members: [String: Value] = [:]
        members.reserveCapacity(reservedCapacity(index.keyCount(object), Value.self))
        try index.forEachKey(of: object) { key in
            let name = keys.originalText(entry(key), in: index)
            // The first member of a name counts. Others may be invalid.
            do {
                let value = try decode(key &+ 1)
                if let first = members.updateValue(value, forKey: name) { members[name] = first }
            } catch {
                guard members[name] != nil else { throw error }
            }
        }
        return members
    }
}
