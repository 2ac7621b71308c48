internal import MartletEssentials

/// The state that all decoders and containers of one decoding share: the index, and caches of types and keys.
///
/// It is used by one task at a time, like any `Decoder`.
final class JSONDecodingState {
    /// The place of an object's next key, kept while its members are decoded in order, and a set of its keys' signatures.
    struct Cursor {
        var object: UInt32
        var key: UInt32
        var marks: UInt64
    }

    // No member is accessed while it is modified. Dynamic exclusivity checks would take a tenth of the decoding time.
    @exclusivity(unchecked)
    private(set) var index: JSONIndex
    let options: JSONBodyDecoder
    /// The coding path of the root value if the decoding is part of another one.
    let rootPath: [any CodingKey]
    private var ownedBytes: UnsafeMutablePointer<UInt8>?
    private let cursors: UnsafeMutablePointer<Cursor>
    private static let cursorCount = 64
    /// The plans of the types decoded so far.
    @exclusivity(unchecked)
    var plans: TypeMap<JSONDecodingPlan>
    /// Memory that returns a value whose type is known only at run time.
    let scratch: UnsafeMutableRawPointer
    static let scratchSize = 64
    /// A set of the signatures of one object's keys.
    let seenMarks: UnsafeMutablePointer<UInt64>
    static let seenWords = 4
    /// The names of the coding keys used so far.
    @exclusivity(unchecked)
    var nameMemory: JSONKeyNames
    /// The texts of converted keys.
    @exclusivity(unchecked)
    var keys = JSONKeyArena()
    /// Tables of the objects with many members.
    @exclusivity(unchecked)
    var tables: [Int: JSONKeyTable] = [:]
    private var pathFinder = JSONPathFinder()
    /// The element counts of long arrays, cached because loops up to an array's `count` read it for each element.
    private var counts: [Int: Int] = [:]

    /// Validates and indexes a document.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``JSONSyntaxError``.
    init(_ bytes: UnsafeBufferPointer<UInt8>, options: JSONBodyDecoder, rootPath: [any CodingKey] = []) throws {
        do {
            index = try JSONIndex(bytes, limits: options.limits)
        } catch {
            throw DecodingError.invalidJSON(error, path: rootPath)
        }
        self.options = options
        self.rootPath = rootPath
        // Memory is allocated last, because deinit does not run if the document is refused.
        scratch = .allocate(byteCount: JSONDecodingState.scratchSize, alignment: 16)
        cursors = .allocate(capacity: JSONDecodingState.cursorCount)
        cursors.initialize(repeating: Cursor(object: .max, key: 0, marks: 0), count: JSONDecodingState.cursorCount)
        seenMarks = .allocate(capacity: JSONDecodingState.seenWords)
        plans = TypeMap()
        nameMemory = JSONKeyNames()
    }

    deinit {
        index.deallocate()
        cursors.deallocate()
        plans.deallocate()
        scratch.deallocate()
        seenMarks.deallocate()
        nameMemory.deallocate()
        keys.deallocate()
        ownedBytes?.deallocate()
    }

    /// Copies the document, so that decoders stay valid after its memory is freed.
    func copyBytes() {
        guard ownedBytes == nil else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(index.byteCount, 1))
        copy.initialize(from: index.bytes, count: index.byteCount)
        ownedBytes = copy
        index = JSONIndex(bytes: copy, byteCount: index.byteCount, entries: index.entries, count: index.count)
    }

    // MARK: Entries

    @inline(__always)
    func entry(_ place: Int) -> JSONEntry { index.entries[place] }

    @inline(__always)
    func isNull(_ place: Int) -> Bool { index.entries[place].rawKind == JSONEntry.Kind.null.rawValue }

    /// Returns the place at which the search for an object's next key begins.
    @inline(__always)
    func cursor(of object: Int) -> Int {
        let cursor = cursors[object & (JSONDecodingState.cursorCount - 1)]
        return cursor.object == UInt32(truncatingIfNeeded: object) ? Int(cursor.key) : object &+ 1
    }

    /// Sets the cursor of an object whose keys have been prepared.
    @inline(__always)
    func startCursor(of object: Int, marks: UInt64) {
        cursors[object & (JSONDecodingState.cursorCount - 1)] = Cursor(
            object: UInt32(truncatingIfNeeded: object), key: UInt32(truncatingIfNeeded: object &+ 1), marks: marks)
    }

    @inline(__always)
    func setCursor(of object: Int, to key: Int) {
        let slot = cursors + (object & (JSONDecodingState.cursorCount - 1))
        if slot.pointee.object != UInt32(truncatingIfNeeded: object) { startCursor(of: object, marks: .max) }
        slot.pointee.key = UInt32(truncatingIfNeeded: key)
    }

    /// Whether an object may have a key with a signature. Only false is certain.
    @inline(__always)
    func mayHave(_ mark: UInt32, in object: Int) -> Bool {
        let cursor = cursors[object & (JSONDecodingState.cursorCount - 1)]
        return cursor.object != UInt32(truncatingIfNeeded: object) || cursor.marks & 1 &<< UInt64(mark >> 12) != 0
    }

    /// Returns the number of elements of an array.
    func elementCount(_ array: Int) -> Int {
        if let count = counts[array] { return count }
        let count = index.elementCount(array)
        if count > 16 { counts[array] = count }
        return count
    }

    // MARK: Paths

    /// Returns the coding path of a value.
    func path(_ place: Int) -> [any CodingKey] {
        rootPath
            + pathFinder.path(to: place, in: index) { key in JSONCodingKey(name: keys.text(index.entries[key], in: index)) }
    }

    /// Returns the coding path of a key in an object, whether or not the object has it.
    func path(_ place: Int, _ key: some CodingKey) -> [any CodingKey] { path(place) + [key] }

    // MARK: Scalars

    @inline(__always)
    func string(_ place: Int) throws -> String {
        let entry = entry(place)
        guard entry.rawKind == JSONEntry.Kind.string.rawValue || entry.rawKind == JSONEntry.Kind.escapedString.rawValue else {
            throw mismatch(String.self, place)
        }
        return index.text(entry)
    }

    @inline(__always)
    func bool(_ place: Int) throws -> Bool {
        switch entry(place).kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, place)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ place: Int) throws -> Value {
        let entry = entry(place), isPlain = entry.rawKind == JSONEntry.Kind.integer.rawValue
        guard isPlain || entry.rawKind == JSONEntry.Kind.number.rawValue else { throw mismatch(type, place) }
        let value = JSONInteger.value(type, index.bytes + entry.offset, index.numberLength(entry), isPlain: isPlain)
        guard let value else { throw notRepresentable(type, place) }
        return value
    }

    @inline(__always)
    func double(_ place: Int) throws -> Double { try number(place, JSONDouble.double) }

    func float(_ place: Int) throws -> Float { try number(place, JSONDouble.float) }

    @inline(__always)
    private func number<Value: BinaryFloatingPoint>(
        _ place: Int, _ read: (_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Value?
    ) throws -> Value {
        let entry = entry(place)
        guard entry.rawKind == JSONEntry.Kind.integer.rawValue || entry.rawKind == JSONEntry.Kind.number.rawValue else {
            return Value(try nonConforming(Value.self, place))
        }
        guard let value = read(index.bytes + entry.offset, index.numberLength(entry)) else { throw notRepresentable(Value.self, place) }
        return value
    }

    /// Returns the infinity or NaN that a string represents under the decoder's strategy.
    @inline(never)
    private func nonConforming(_ type: Any.Type, _ place: Int) throws -> Double {
        guard case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloatDecodingStrategy,
            entry(place).kind == .string || entry(place).kind == .escapedString
        else { throw mismatch(type, place) }
        switch index.text(entry(place)) {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, place)
        }
    }

    // MARK: Foundation's types

    func date(_ place: Int) throws -> Date {
        guard !isNull(place) else { throw mismatch(Date.self, place) }
        switch options.dateDecodingStrategy {
        case .deferredToDate: return try Date(from: JSONValueDecoder(state: self, place: place))
        case .secondsSince1970: return Date(timeIntervalSince1970: try double(place))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(place) / 1_000)
        case .custom(let decode): return try decode(JSONValueDecoder(state: self, place: place))
        case .iso8601:
            let entry = entry(place)
            if entry.kind == .string {
                let seconds = ISO8601Reading.seconds(index.bytes + entry.offset, index.stringLength(entry))
                if let seconds { return Date(timeIntervalSince1970: seconds) }
            }
            // Some encoders escape the plus sign.
            var text = try dateText(place)
            let seconds = text.withUTF8 { bytes in bytes.baseAddress.flatMap { ISO8601Reading.seconds($0, bytes.count) } }
            guard let seconds else { throw corrupted(place, "“\(text.prefix(40))” \(ISO8601Reading.problem(of: text))") }
            return Date(timeIntervalSince1970: seconds)
        case .iso8601AssumingUTC:
            let text = try dateText(place)
            guard let seconds = ISO8601Reading.seconds(assumingUTC: text) else {
                throw corrupted(place, "“\(text.prefix(40))” is not an ISO 8601 date")
            }
            return Date(timeIntervalSince1970: seconds)
        }
    }

    /// Returns the text of a date. The error for a number names the strategy that reads it.
    @inline(never)
    private func dateText(_ place: Int) throws -> String {
        let entry = entry(place)
        guard entry.kind == .integer || entry.kind == .number else { return try string(place) }
        let isLong = JSONDouble.double(index.bytes + entry.offset, index.numberLength(entry)).map { abs($0) >= 1e11 } ?? false
        let strategy = isLong ? "millisecondsSince1970" : "secondsSince1970"
        let reason = "a number was found in place of an ISO 8601 date; dateDecodingStrategy .\(strategy) reads it"
        throw DecodingError.typeMismatch(String.self, context(place, reason))
    }

    func data(_ place: Int) throws -> Data {
        guard !isNull(place) else { throw mismatch(Data.self, place) }
        switch options.dataDecodingStrategy {
        case .deferredToData: return try Data(from: JSONValueDecoder(state: self, place: place))
        case .custom(let decode): return try decode(JSONValueDecoder(state: self, place: place))
        case .base64:
            guard let data = Data(base64Encoded: try string(place)) else { throw corrupted(place, "The string is not valid base 64") }
            return data
        }
    }

    func url(_ place: Int) throws -> URL {
        guard !isNull(place) else { throw mismatch(URL.self, place) }
        let text = try string(place)
        guard let url = URIText(text)?.url else { throw corrupted(place, "“\(text.prefix(40))” is not a valid URL") }
        return url
    }

    /// Decodes a decimal number with the digits of the document, as far as `Decimal` can hold them.
    func decimal(_ place: Int) throws -> Decimal {
        let entry = entry(place)
        guard entry.kind == .integer || entry.kind == .number else { throw mismatch(Decimal.self, place) }
        guard let value = Decimal(string: index.numberText(entry)) else { throw notRepresentable(Decimal.self, place) }
        return value
    }

    // MARK: Errors, for which coding paths are computed on request

    /// The error for a value of the wrong kind, or for null.
    @inline(never)
    func mismatch(_ type: Any.Type, _ place: Int) -> DecodingError {
        guard !isNull(place) else {
            return .valueNotFound(type, context(place, "Expected \(JSONDecodingState.name(type)) but found null"))
        }
        return .typeMismatch(type, context(place, "Expected \(JSONDecodingState.name(type)) but found \(entry(place).kindName)"))
    }

    /// The error for a value of the right kind with invalid content.
    @inline(never)
    func corrupted(_ place: Int, _ text: String) -> DecodingError { .dataCorrupted(context(place, text)) }

    /// The error for a number that the type cannot represent.
    @inline(never)
    func notRepresentable(_ type: Any.Type, _ place: Int) -> DecodingError {
        corrupted(place, "The number \(index.numberText(entry(place)).prefix(40)) is not representable as \(type)")
    }

    /// The error for a missing key.
    @inline(never)
    func notFound(_ key: some CodingKey, _ object: Int) -> DecodingError {
        .keyNotFound(key, context(object, "No value is associated with the key “\(key.stringValue)”"))
    }

    private func context(_ place: Int, _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path(place), debugDescription: text)
    }

    private static func name(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "an object" }
        return type == [Any].self ? "an array" : "\(type)"
    }
}
