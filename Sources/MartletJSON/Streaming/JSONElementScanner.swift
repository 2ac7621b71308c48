package import MartletEssentials

/// A scanner that cuts one array of a streamed JSON document into its elements.
///
/// Append each chunk and read elements with `next()` until it returns nil. After the last chunk, call `finish()`.
///
/// The scanner validates the whole document by RFC 8259: UTF-8, escapes, numbers, and also the members that it skips and the bytes after
/// the array. A byte order mark at the start is ignored. If a name on the path occurs several times in an object, the first member counts.
///
/// The scanner stores the appended chunks until they are read, and the bytes of an element that spans chunks. Skipped values and names are
/// not stored, whatever their size. Errors do not depend on how the document is split into chunks, and the first error is final.
package struct JSONElementScanner: Sendable {
    /// An element of the array.
    package struct Element: Sendable, Equatable {
        /// The bytes of the element without white space around it. May be a slice of a chunk, so the first index may not be 0.
        package let bytes: Data
        /// The index of the element in the array.
        package let index: Int
        /// The position of the first byte of the element in the document.
        let position: JSONPosition
    }

    private enum Phase {
        /// Before the array. The objects on the path have been entered as far as their names were found.
        case seeking
        case inArray
        case afterArray
    }

    private let path: [String]
    private let names: [StreamedName]
    private let maxElementBytes: Int

    private var grammar: StreamedGrammar
    private var chunks = StreamedChunks()
    private var chunk = Data()
    /// The offset of the current chunk in the stream.
    private var chunkOffset = 0
    /// The number of bytes of the current chunk that have been read.
    private var chunkPosition = 0
    private var capture = StreamedCapture()

    private var phase = Phase.seeking
    /// The number of arrays and objects on the path that have been opened.
    private var level = 0
    /// Whether the next value in the innermost object on the path belongs to the path.
    private var isOnPath = true
    private var elementCount = 0
    private var elementPosition = JSONPosition.start
    private var failure: JSONElementError?

    /// Creates a scanner.
    /// - Parameters:
    ///   - path: The member names from the root to the array. Empty if the root is the array.
    ///   - maxElementBytes: The greatest size of an element in bytes.
    ///   - maxDepth: The greatest number of nested arrays and objects in the document, those on the path included. 512 by default.
    init(path: [String] = [], maxElementBytes: Int, maxDepth: Int = 512) {
        self.path = path
        self.maxElementBytes = min(max(0, maxElementBytes), Int.max / 4)
        names = path.map(StreamedName.init)
        grammar = StreamedGrammar(maxDepth: maxDepth)
    }

    /// Creates a scanner for the array at a key path such as `data.birds`.
    ///
    /// A dot separates member names. The root is the array if the key path is empty. Use an array of names for names that contain a dot.
    package init(keyPath: String, maxElementBytes: Int, maxDepth: Int = 512) {
        let names = keyPath.isEmpty ? [] : keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.init(path: names, maxElementBytes: maxElementBytes, maxDepth: maxDepth)
    }

    /// Whether the closing bracket of the array has been read. No element follows, but the rest of the document is still validated.
    var hasArrayEnded: Bool { phase == .afterArray }

    /// Whether a complete document has been read. Only white space may follow.
    var isFinished: Bool { failure == nil && grammar.state == .end }

    /// The number of bytes that are stored: the unread bytes of the chunks, and the part of the current element from earlier chunks.
    var bufferedBytes: Int { chunks.byteCount + chunk.count - chunkPosition + capture.byteCount }

    /// Appends a chunk of the document. Chunks after an error are ignored.
    ///
    /// Call `next()` until it returns nil after each chunk. Otherwise chunks accumulate.
    package mutating func append(_ chunk: Data) {
        if failure == nil { chunks.append(chunk) }
    }

    /// Returns the next complete element, or nil if that needs more bytes or if the array has ended.
    ///
    /// - Throws: The first error of the document, at this call and at every later one.
    package mutating func next() throws(JSONElementError) -> Element? {
        while failure == nil {
            if chunkPosition == chunk.count {
                chunkOffset += chunk.count
                chunkPosition = 0
                chunk = chunks.popFirst() ?? Data()
                if chunk.isEmpty { return nil }
            }
            if let element = readChunk() { return element }
        }
        throw discardBuffers()
    }

    /// Checks that the document is complete. Call it after the last chunk, when `next()` has returned nil.
    ///
    /// Elements that have not been read are dropped.
    /// - Throws: The first error of the document; `.truncated` if the document is incomplete.
    package mutating func finish() throws(JSONElementError) {
        while try next() != nil {}
        guard grammar.state != .end else { return }
        failure = JSONElementError(.truncated, at: grammar.position(at: chunkOffset))
        throw discardBuffers()
    }

    private mutating func discardBuffers() -> JSONElementError {
        chunks.removeAll()
        chunk = Data()
        chunkPosition = 0
        capture.cancel()
        return failure ?? JSONElementError(.truncated, at: grammar.position(at: chunkOffset))
    }

    /// Reads the current chunk up to the end of an element, the end of the chunk or an error.
    private mutating func readChunk() -> Element? {
        let chunk = self.chunk
        return chunk.withUnsafeBytes { bytes -> Element? in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
            var cursor = StreamedCursor(base: base, count: bytes.count, position: chunkPosition, baseOffset: chunkOffset)
            defer { chunkPosition = cursor.offset - chunkOffset }
            while failure == nil {
                cursor.end = base + min(bytes.count, readLimit - chunkOffset)
                let event = grammar.run(&cursor)
                if event == .valueEnded, phase == .inArray, grammar.depth == level {
                    if let element = endElement(at: cursor.offset, in: chunk) { return element }
                } else if event == .needsBytes, !isElementTooLarge(at: cursor.offset) {
                    carryCapture()
                    return nil
                } else {
                    handle(event, at: cursor, in: chunk)
                }
            }
            return nil
        }
    }
}

// MARK: - Events

extension JSONElementScanner {
    /// The offset in the stream up to which bytes may be read: one byte more than an element may have.
    private var readLimit: Int {
        guard phase == .inArray, let start = capture.start else { return .max }
        return start + maxElementBytes + 1
    }

    /// Whether the current element, read up to an offset, exceeds the limit. Fails if it does.
    private mutating func isElementTooLarge(at offset: Int) -> Bool {
        guard phase == .inArray, let start = capture.start, offset - start > maxElementBytes else { return false }
        failure = JSONElementError(.elementTooLarge(limit: maxElementBytes), at: elementPosition)
        return true
    }

    private mutating func endElement(at offset: Int, in chunk: Data) -> Element? {
        guard !isElementTooLarge(at: offset) else { return nil }
        defer { elementCount += 1 }
        let bytes = capture.end(at: offset, in: chunk, at: chunkOffset)
        return Element(bytes: bytes, index: elementCount, position: elementPosition)
    }

    private mutating func carryCapture() {
        guard capture.start != nil else { return }
        capture.carry(chunk, at: chunkOffset, limit: phase == .inArray ? maxElementBytes : names[level - 1].maxStringBytes)
    }

    private mutating func handle(_ event: StreamedGrammar.Event, at cursor: StreamedCursor, in chunk: Data) {
        switch event {
        case .failed: failure = grammar.failure
        case .nameBegan where phase == .seeking: capture.begin(at: cursor.offset - 1)
        case .nameEnded where phase == .seeking: endName(at: cursor.offset, in: chunk)
        case .valueBegan where phase == .inArray:
            elementPosition = grammar.position(at: cursor.offset - 1)
            capture.begin(at: cursor.offset - 1)
        case .valueBegan where isOnPath: beginPathValue(cursor.next[-1], at: cursor.offset - 1)
        case .valueEnded where grammar.depth < level: endPathValue(at: cursor.offset - 1)
        default: break
        }
    }

    private mutating func endName(at offset: Int, in chunk: Data) {
        let name = names[level - 1]
        guard let start = capture.start, offset - start <= name.maxStringBytes else { return capture.cancel() }
        isOnPath = name.matches(capture.end(at: offset, in: chunk, at: chunkOffset))
    }

    /// Enters a value on the path, which must be an object, or the array at its end.
    private mutating func beginPathValue(_ byte: UInt8, at offset: Int) {
        let position = grammar.position(at: offset)
        let found = JSONElementError.FoundKind(firstByte: byte)
        let isLast = level == path.count
        guard found == (isLast ? .array : .object) else {
            let prefix = Array(path.prefix(level))
            let kind: JSONElementError.Kind = isLast ? .notAnArray(path: prefix, found: found) : .notAnObject(path: prefix, found: found)
            failure = JSONElementError(kind, at: position)
            return
        }
        level += 1
        grammar.watchedDepth = level
        isOnPath = false
        if isLast { phase = .inArray }
    }

    /// Leaves the array, or an object on the path that does not have the next member.
    private mutating func endPathValue(at offset: Int) {
        if phase == .inArray {
            phase = .afterArray
            grammar.watchedDepth = -1
        } else {
            failure = JSONElementError(.pathMissing(Array(path.prefix(level))), at: grammar.position(at: offset))
        }
    }
}

/// A member name to look for in a document.
struct StreamedName: Sendable {
    private let utf8: [UInt8]

    init(_ name: String) { utf8 = Array(name.utf8) }

    /// The greatest number of bytes that a string equal to the name can have in a document, quotation marks included.
    ///
    /// An escape takes six bytes for each byte of UTF-8 at most.
    var maxStringBytes: Int { utf8.count * 6 + 2 }

    /// Whether a string of a document is equal to the name after its escapes are decoded.
    ///
    /// Both are compared byte by byte in UTF-8, without Unicode normalization.
    /// - Parameter string: A valid JSON string with its quotation marks.
    func matches(_ string: Data) -> Bool {
        string.withUnsafeBytes { bytes in
            let content = bytes.dropFirst().dropLast()
            guard content.contains(UInt8(ascii: "\\")) else { return content.elementsEqual(utf8) }
            return JSONIndex.unescaped(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[content.indices])).utf8.elementsEqual(
                utf8)
        }
    }
}
