/// The index of a valid JSON document, with the document's bytes. Both are pointers that the owner keeps alive.
struct JSONIndex {
    /// The bytes of the document.
    let bytes: UnsafePointer<UInt8>
    let byteCount: Int
    /// The entries, beginning with the root.
    let entries: UnsafeMutablePointer<JSONEntry>
    let count: Int
}

extension JSONIndex {
    /// Validates a document and indexes it. The caller must call ``deallocate()`` once.
    init(_ document: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONSyntaxError) {
        var indexer = JSONIndexer(document, limits: limits)
        do {
            try indexer.run()
        } catch {
            defer { indexer.entries.deallocate() }
            var path = JSONIndex(document, indexer).path(ofOpen: indexer.openContainers)
            if error.isAfterValue { path = path.dropLast() }
            throw JSONSyntaxError(
                kind: error.kind(limits), reason: error.reason, position: JSONPosition(offset: error.offset, in: document),
                path: JSONCodingKey.text(of: path))
        }
        self.init(document, indexer)
    }

    private init(_ document: UnsafeBufferPointer<UInt8>, _ indexer: JSONIndexer) {
        self.init(
            bytes: document.baseAddress ?? UnsafePointer(bitPattern: 1)!, byteCount: document.count, entries: indexer.entries,
            count: indexer.count)
    }

    /// Frees the entries.
    func deallocate() { entries.deallocate() }

    // MARK: Structure

    /// Returns the index of the entry after a value.
    @inline(__always)
    func next(after place: Int) -> Int {
        let entry = entries[place]
        return entry.isContainer ? entry.next : place &+ 1
    }

    /// Returns the number of elements of an array, up to a limit.
    func elementCount(_ array: Int, upTo limit: Int = .max) -> Int {
        var count = 0, place = array + 1
        let end = entries[array].next
        while place < end, count < limit {
            place = next(after: place)
            count += 1
        }
        return count
    }

    /// Returns the number of keys of an object, including repeated ones, up to a limit.
    func keyCount(_ object: Int, upTo limit: Int = .max) -> Int {
        var count = 0, key = object + 1
        let end = entries[object].next
        while key < end, count < limit {
            key = next(after: key + 1)
            count += 1
        }
        return count
    }

    /// Calls `body` with the place of each key of an object, in order.
    @inline(__always)
    func forEachKey(of object: Int, _ body: (_ key: Int) throws -> Void) rethrows {
        let end = entries[object].next
        var key = object &+ 1
        while key < end {
            try body(key)
            key = next(after: key &+ 1)
        }
    }

    /// Marks each key of an object that equals an earlier one. It compares all pairs of keys, so it is only for small objects.
    @inline(__always)
    func markDuplicates(of object: Int, areEqual: (_ earlier: Int, _ key: Int) -> Bool) {
        forEachKey(of: object) { key in
            var earlier = object + 1
            while earlier < key, !areEqual(earlier, key) { earlier = next(after: earlier + 1) }
            if earlier < key { markDuplicate(key) }
        }
    }

    func markDuplicate(_ key: Int) {
        entries[key] = entries[key].changed(to: entries[key].isConvertedKey ? .duplicateConvertedKey : .duplicateKey)
    }

    /// Returns the range of a value's bytes, including quotes and brackets.
    func range(of place: Int) -> Range<Int> {
        let entry = entries[place]
        switch entry.kind {
        case .string, .escapedString:
            return entry.offset - 1..<entry.offset + stringLength(entry) + 1
        case .array, .object, .preparedObject:
            return entry.offset..<closingBracket(from: entry.offset)
        default: return entry.offset..<entry.offset + numberLength(entry)
        }
    }

    /// Returns the offset after the bracket that closes the one at an offset.
    private func closingBracket(from start: Int) -> Int {
        var place = start, depth = 0
        repeat {
            switch bytes[place] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\""): place += 1 + longLength(place + 1)
            default: break
            }
            place += 1
        } while depth > 0
        return place
    }

    // MARK: Lengths

    /// The number of bytes between a string's quotes.
    @inline(__always)
    func stringLength(_ entry: JSONEntry) -> Int {
        entry.length < JSONEntry.maxLength ? entry.length : longLength(entry.offset)
    }

    /// The number of bytes between a key's quotes.
    @inline(__always)
    func keyLength(_ entry: JSONEntry) -> Int {
        entry.keyLength < JSONEntry.maxKeyLength ? entry.keyLength : longLength(entry.offset)
    }

    /// The number of bytes of a number or literal.
    @inline(__always)
    func numberLength(_ entry: JSONEntry) -> Int {
        guard entry.length == JSONEntry.maxLength else { return entry.length }
        var end = entry.offset
        while end < byteCount, JSONIndex.isNumberByte(bytes[end]) { end += 1 }
        return end - entry.offset
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || byte | 0x20 == UInt8(ascii: "e")
    }

    private func longLength(_ start: Int) -> Int {
        var end = start
        while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end - start
    }
}
