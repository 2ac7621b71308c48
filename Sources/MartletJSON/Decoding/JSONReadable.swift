/// A type that can read itself from JSON in one pass, several times faster than through `Decodable`'s containers.
///
/// ``JSONBodyDecoder`` reads such a type with a ``JSONReader``. If the reader refuses a document, the type is decoded by `init(from:)`,
/// from the start, so the errors are those of any `Decodable` type.
///
/// ```swift
/// struct Bird: Decodable, JSONReadable {
///     let id: Int, name: String, weight: Double?
///
///     init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
///         var id: Int?, name: String?, weight: Double??
///         try reader.beginObject()
///         while try reader.nextMember() {
///             if try reader.read("id", &id) { continue }
///             if try reader.read("name", &name) { continue }
///             if try reader.read("weight", &weight) { continue }
///             try reader.skip()
///         }
///         self.id = try reader.required(id)
///         self.name = try reader.required(name)
///         self.weight = weight ?? nil
///     }
/// }
/// ```
///
/// `init(json:)` must return a value equal to that of `init(from:)`, or throw. The decoder uses it for the type that it is asked for, and
/// the reader for the types that this one reads; with a key strategy other than `.useDefaultKeys`, `init(from:)` is used.
public protocol JSONReadable: Decodable {
    /// Reads exactly one value.
    init(json reader: inout JSONReader) throws(JSONReader.Refusal)
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
    /// Reads a raw value, and refuses one that the type does not have.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
        self = try reader.required(Self(rawValue: try RawValue(json: &reader)))
    }
}

extension String: JSONReadable {
    /// Reads a string.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.string() }
}

extension Bool: JSONReadable {
    /// Reads `true` or `false`.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.bool() }
}

// One for each type: a generic initializer is not specialized, and takes 1,000 instructions for each number.
extension Int: JSONReadable {
    /// Reads a number without a fraction.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.integer(Int.self) }
}

extension Int32: JSONReadable {
    /// Reads a number without a fraction.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.integer(Int32.self) }
}

extension Int64: JSONReadable {
    /// Reads a number without a fraction.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.integer(Int64.self) }
}

extension Double: JSONReadable {
    /// Reads a number.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.double() }
}

extension Float: JSONReadable {
    /// Reads a number.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) { self = try reader.float() }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads a value, or `null` as nil.
    @inlinable
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
        self = try reader.skipNull() ? nil : try Wrapped(json: &reader)
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array.
    public init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
        // In memory of its own, because `append` would look up the array's type for each element.
        var capacity = 16, count = 0, elements = UnsafeMutablePointer<Element>.allocate(capacity: 16)
        defer {
            elements.deinitialize(count: count)
            elements.deallocate()
        }
        try reader.beginArray()
        while try reader.nextElement() {
            if count == capacity {
                capacity *= 2
                elements = elements.moved(count, to: capacity)
            }
            (elements + count).initialize(to: try Element(json: &reader))
            count += 1
        }
        self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: elements, count: count)
            initialized = count
            count = 0
        }
    }
}
