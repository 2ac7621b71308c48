/// A value in a JSON document, from which a type that is ``JSONReadable`` reads itself.
///
/// A reader is passed to `init(json:)`, and is at one value. What it reads is validated as ``JSONBodyDecoder`` does: the grammar, UTF-8,
/// and the decoder's limits. Members that no one asks for are skipped. Of members with the same name, the first counts.
///
/// ```swift
/// struct Person: JSONReadable {
///     struct Address: JSONReadable {
///         let street: String
///
///         init(json: inout JSONReader) throws { street = try json["street"] }
///     }
///
///     let id: Int, nickname: String?, birthday: Date, address: Address
///
///     init(json: inout JSONReader) throws {
///         id = try json["id"]  // a required member
///         nickname = try json["nickname"]  // nil if it is missing or null, because the property is optional
///         birthday = try json.decode("birthday")  // of a type that is only Decodable, with the decoder's strategy for dates
///         address = try json.value()  // a part of the same object
///     }
/// }
/// ```
///
/// Alternatives can be tried: `(try? Int(json: &json)) ?? -1`. A document in which one fails is decoded by `init(from:)`, from the start.
public struct JSONReader: ~Copyable {
    /// A document that can't be read in one pass, and must be decoded by `init(from:)`.
    package struct Refusal: Error {
        package init() {}
    }

    /// The decoder of the bytes, or the decoder that is asked. In an object, because copies of an existential take long.
    private final class Source {
        let options: JSONBodyDecoder
        let decoder: (any Decoder)?
        var container: KeyedDecodingContainer<JSONCodingKey>?

        init(_ options: JSONBodyDecoder, _ decoder: (any Decoder)?) {
            self.options = options
            self.decoder = decoder
        }
    }

    private let source: Source
    /// Whether a decoder is asked, and no bytes are read.
    let asksDecoder: Bool
    var bytes: JSONReaderBytes
    /// Whether the document is refused, although a type may have caught the error.
    @usableFromInline var isRefused = false
    /// The value that the reader is at.
    var current = JSONReaderValue(start: 0, firstMember: 0)
    var members = JSONReaderMembers()

    /// Creates a reader that asks a decoder.
    init(_ decoder: any Decoder) {
        source = Source(JSONBodyDecoder(), decoder)
        asksDecoder = true
        bytes = JSONReaderBytes(UnsafeBufferPointer(start: nil, count: 0), source.options.limits)
    }

    private init(_ document: UnsafeBufferPointer<UInt8>, _ options: JSONBodyDecoder) {
        source = Source(options, nil)
        asksDecoder = false
        bytes = JSONReaderBytes(document, options.limits)
    }

    /// The decoder that is asked, or nil if bytes are read.
    package var decoder: (any Decoder)? { asksDecoder ? source.decoder : nil }

    /// Returns the value of a type that asks a decoder.
    static func value<Value: JSONReadable>(from decoder: any Decoder) throws -> Value {
        var reader = JSONReader(decoder)
        return try Value(json: &reader)
    }

    /// Returns the value of a document, or nil if it must be decoded by `init(from:)`.
    static func value<Value: JSONReadable>(
        _ type: Value.Type, _ document: UnsafeBufferPointer<UInt8>, _ options: JSONBodyDecoder
    ) -> Value? {
        var reader = JSONReader(document, options)
        guard options.limits.maxValues > 0, let value: Value = try? reader.nested(), !reader.isRefused, reader.bytes.isAtEnd() else {
            return nil
        }
        return value
    }

    /// Where the value is, for the errors that a type throws. It is empty while bytes are read, because their errors are not used.
    public var codingPath: [any CodingKey] { decoder?.codingPath ?? [] }

    // MARK: Members

    /// The value of a member of the object.
    ///
    /// - Throws: `DecodingError` if the value is not an object, the member is missing and its type has no
    ///   ``JSONReadable/valueIfMissing``, or it can't be read.
    @inlinable
    public subscript<Value: JSONReadable>(name: StaticString) -> Value {
        mutating get throws {
            switch try find(name) {
            case .next: return try nested()
            case .earlier(let place):
                let value: Value = try nested()
                resume(at: place)
                return value
            case .missing: return try missing(name)
            }
        }
    }

    /// Decodes the value of a member by `init(from:)`, with the decoder's strategies for dates and data.
    ///
    /// The coding path that `init(from:)` sees may have the names of the innermost object only.
    ///
    /// - Throws: `DecodingError` if the value is not an object, the member is missing, or it can't be decoded.
    public mutating func decode<Value: Decodable>(_ name: StaticString) throws -> Value {
        if asksDecoder { return try keyed().decode(Value.self, forKey: JSONCodingKey(name: name.description)) }
        guard let value: Value = try decodeMember(name) else { throw refuse() }
        return value
    }

    /// Decodes the value of a member like ``decode(_:)``, or returns nil if the member is missing or null.
    public mutating func decodeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        if asksDecoder { return try keyed().decodeIfPresent(Value.self, forKey: JSONCodingKey(name: name.description)) }
        return try decodeMember(name, orNull: true)
    }

    /// Whether the object has a member, which may be null.
    public mutating func contains(_ name: StaticString) throws -> Bool {
        if asksDecoder { return try keyed().contains(JSONCodingKey(name: name.description)) }
        switch try find(name) {
        case .missing: return false
        case .earlier(let place): resume(at: place)
        case .next: try skipMember()
        }
        return true
    }

    /// Reads this value again as another type: a part whose members are in the same object, for example.
    public mutating func value<Value: JSONReadable>() throws -> Value {
        try again { json in try json.nested() }
    }

    /// Decodes this value again by `init(from:)`, with the decoder's strategies for dates and data.
    public mutating func decode<Value: Decodable>() throws -> Value {
        try again { json in try json.decodeNext([]) }
    }

    private mutating func again<Value: Decodable>(_ read: (inout JSONReader) throws -> Value) throws -> Value {
        if asksDecoder { return try decodedByDecoder() }
        let before = bytes.place
        bytes.place = current.start
        // The object is not in itself.
        if current.state == .begun { bytes.depth -= 1 }
        let value = try read(&self)
        if current.state == .begun { bytes.depth += 1 }
        // Each type may skip the members before its own. If parts have parts at many levels, the document is decoded with an index.
        let size = bytes.place - current.start
        bytes.maxSkipped += size
        bytes.reread += size
        guard bytes.reread <= bytes.maxReread else { throw refuse() }
        current.end = bytes.place
        // An object that has been begun goes on after the last member.
        if current.isBegun { bytes.place = before } else { current.state = .read }
        return value
    }

    // MARK: Values within

    /// Reads the value that is next.
    @inlinable
    mutating func nested<Value: JSONReadable>() throws -> Value {
        let outer = enter()
        do {
            let value = try Value(json: &self)
            try leave(for: outer)
            return value
        } catch {
            // The place in the document is unknown now.
            isRefused = true
            throw error
        }
    }

    /// Begins with the value that is next, and returns the one that it is in.
    @usableFromInline
    mutating func enter() -> JSONReaderValue {
        let outer = current
        current = JSONReaderValue(start: bytes.place, firstMember: members.count)
        return outer
    }

    /// Skips the rest of the value, and goes back to the one that it is in.
    @usableFromInline
    mutating func leave(for outer: JSONReaderValue) throws {
        if current.state != .read { try skipRest() }
        current = outer
    }

    @inline(never)
    private mutating func skipRest() throws {
        if current.state == .unread { try skip() }
        if current.state == .begun {
            if current.end > 0 {
                bytes.place = current.end
                bytes.depth -= 1
            } else {
                try checked { bytes throws(Refusal) in try bytes.skipMembers() }
            }
        }
        members.count = current.firstMember
    }

    mutating func refuse() -> Refusal {
        isRefused = true
        return Refusal()
    }

    /// Returns the error for a value that a type does not have.
    mutating func dataCorrupted(_ description: String) -> any Error {
        guard asksDecoder else { return refuse() }
        return DecodingError.dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: description))
    }

    /// Reads bytes, and remembers a refusal.
    @inline(__always)
    mutating func checked<Value>(_ read: (inout JSONReaderBytes) throws(Refusal) -> Value) throws -> Value {
        do throws(Refusal) { return try read(&bytes) } catch { throw refuse() }
    }

    // MARK: Other decoders

    /// Returns this value from the decoder, with its strategies.
    @inline(never)
    func decodedByDecoder<Value: Decodable>() throws -> Value {
        guard let decoder = source.decoder else { throw Refusal() }
        return try decoder.singleValueContainer().decode(Value.self)
    }

    /// Returns the value of a member from the decoder, or the value of a missing member.
    @usableFromInline
    mutating func missing<Value: JSONReadable>(_ name: StaticString) throws -> Value {
        guard asksDecoder else {
            guard let value = Value.valueIfMissing else { throw refuse() }
            return value
        }
        let key = JSONCodingKey(name: name.description), members = try keyed()
        if let value = Value.valueIfMissing {
            if !members.contains(key) { return value }
            // Some decoders can't decode null as an Optional.
            if Value.self is any ExpressibleByNilLiteral.Type, try members.decodeNil(forKey: key) { return value }
        }
        return try members.decode(Value.self, forKey: key)
    }

    private mutating func keyed() throws -> KeyedDecodingContainer<JSONCodingKey> {
        if let container = source.container { return container }
        guard let decoder = source.decoder else { throw refuse() }
        let container = try decoder.container(keyedBy: JSONCodingKey.self)
        source.container = container
        return container
    }

    /// Decodes a member from its bytes. Returns nil if it is missing, or null and may be.
    private mutating func decodeMember<Value: Decodable>(_ name: StaticString, orNull: Bool = false) throws -> Value? {
        let found = try find(name)
        if case .missing = found { return nil }
        let value: Value?
        if orNull, try checked({ bytes throws(Refusal) in try bytes.skipNull() }) {
            value = nil
        } else {
            value = try decodeNext([JSONCodingKey(name: name.description)])
        }
        if case .earlier(let place) = found { resume(at: place) }
        return value
    }

    /// Decodes the value that is next from its bytes, or reads it if its type is readable after all.
    private mutating func decodeNext<Value: Decodable>(_ path: @autoclosure () -> [any CodingKey]) throws -> Value {
        if let readable = Value.self as? any JSONReadable.Type {
            func read<Readable: JSONReadable>(_ type: Readable.Type, _ json: inout JSONReader) throws -> Value {
                unsafeBitCast(try json.nested() as Readable, to: Value.self)
            }
            return try read(readable, &self)
        }
        _ = bytes.next()
        let start = bytes.place
        try skip()
        do { return try source.options.decodeIndexed(Value.self, from: bytes.content(from: start), at: path()) } catch { throw refuse() }
    }
}
