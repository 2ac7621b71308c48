/// A type that reads itself from JSON in one pass, about twice as fast as through `Decodable`'s containers.
///
/// ```swift
/// struct Bird: JSONReadable {
///     let id: Int, name: String, weight: Double?
///
///     init(json: inout JSONReader) throws {
///         id = try json["id"]
///         name = try json["name"]
///         weight = try json["weight"]
///     }
/// }
/// ```
///
/// This is all that the type needs: its `init(from:)` calls `init(json:)` with a ``JSONReader`` that asks the decoder, so any decoder can
/// decode it. ``JSONBodyDecoder`` calls `init(json:)` with the bytes. A document that can't be read in one pass, because a value is missing
/// or has another type, for example, is decoded by `init(from:)` from the start, whose errors have a coding path. `init(json:)` is then
/// called twice, so it must have no other effects.
///
/// Reading is fastest if members are read in the order that documents have them. With a key strategy other than `.useDefaultKeys`, whose
/// converted names are then asked for, and with a `.custom` strategy for dates or data, `init(from:)` is used.
public protocol JSONReadable: Decodable {
    /// Reads one value.
    init(json: inout JSONReader) throws

    /// The value of a member that is missing. Default: nil, so that reading the member throws.
    static var valueIfMissing: Self? { get }
}

extension JSONReadable {
    /// Nil, because a value is required.
    @inlinable
    public static var valueIfMissing: Self? { nil }

    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
    /// Reads a raw value. Throws `DecodingError.dataCorrupted` for one that the type does not have.
    public init(json: inout JSONReader) throws {
        let rawValue = try RawValue(json: &json)
        guard let value = Self(rawValue: rawValue) else {
            throw json.dataCorrupted("Cannot initialize \(Self.self) from the value \(rawValue)")
        }
        self = value
    }
}

// The standard library decodes types with these raw values too. Without these extensions, neither initializer would be preferred, and the
// compiler would synthesize the decoding of an object.
extension JSONReadable where Self: RawRepresentable, RawValue == String {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Bool {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Double {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Float {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Int {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Int8 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Int16 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Int32 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == Int64 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == UInt {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == UInt8 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == UInt16 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == UInt32 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == UInt64 {
    /// Decodes a value by `init(json:)`.
    public init(from decoder: any Decoder) throws { self = try JSONReader.value(from: decoder) }
}

extension String: JSONReadable {
    /// Reads a string.
    public init(json: inout JSONReader) throws { self = try json.string() }
}

extension Bool: JSONReadable {
    /// Reads `true` or `false`.
    public init(json: inout JSONReader) throws { self = try json.bool() }
}

// One for each type: a generic initializer is not specialized, and takes 1,000 instructions for each number.
extension Int: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(Int.self) }
}

extension Int8: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(Int8.self) }
}

extension Int16: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(Int16.self) }
}

extension Int32: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(Int32.self) }
}

extension Int64: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(Int64.self) }
}

extension UInt: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(UInt.self) }
}

extension UInt8: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(UInt8.self) }
}

extension UInt16: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(UInt16.self) }
}

extension UInt32: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(UInt32.self) }
}

extension UInt64: JSONReadable {
    /// Reads a number without a fraction.
    public init(json: inout JSONReader) throws { self = try json.integer(UInt64.self) }
}

extension Double: JSONReadable {
    /// Reads a number.
    public init(json: inout JSONReader) throws { self = try json.double() }
}

extension Float: JSONReadable {
    /// Reads a number.
    public init(json: inout JSONReader) throws { self = try json.float() }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads a value, or `null` as nil.
    @inlinable
    public init(json: inout JSONReader) throws {
        self = try json.skipNull() ? nil : try Wrapped(json: &json)
    }

    /// Nil, which is the value of a missing member.
    @inlinable
    public static var valueIfMissing: Self? { .some(nil) }
}

extension OpenEnum: JSONReadable {}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array.
    public init(json: inout JSONReader) throws {
        if json.asksDecoder {
            self = try json.decodedByDecoder()
            return
        }
        // In memory of its own, because `append` would look up the array's type for each element.
        var capacity = 16, count = 0
        try json.beginArray()
        guard try json.nextElement() else {
            // All empty arrays share one storage, whose count must not be written.
            self.init()
            return
        }
        var elements = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        defer {
            elements.deinitialize(count: count)
            elements.deallocate()
        }
        repeat {
            if count == capacity {
                capacity *= 2
                elements = elements.moved(count, to: capacity)
            }
            (elements + count).initialize(to: try json.nested())
            count += 1
        } while try json.nextElement()
        self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: elements, count: count)
            initialized = count
            count = 0
        }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Reads an object, whose names are the keys. Of members with the same name, the first counts.
    public init(json: inout JSONReader) throws {
        if json.asksDecoder {
            self = try json.decodedByDecoder()
            return
        }
        // Of an object whose members have been asked for, they are read again.
        guard !json.current.isBegun else {
            self = try json.value()
            return
        }
        self.init()
        try json.beginObject()
        while let name = try json.nextName() {
            let value: Value = try json.nested()
            if index(forKey: name) == nil { self[name] = value }
        }
    }
}
