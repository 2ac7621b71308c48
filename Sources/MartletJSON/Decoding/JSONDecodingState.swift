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
}
