/// The keys of objects: conversion, duplicates, and look-up.
extension JSONDecodingState {
    /// Objects with more members than this get a hash table.
    private static var linearLimit: Int { 32 }

    /// Converts the keys of an object and marks duplicates. Later calls for the same object do nothing.
    func prepare(_ object: Int) throws {
        guard entry(object).rawKind == JSONEntry.Kind.object.rawValue else { return }
        // An object that could not be converted completely is not converted again.
        guard !keys.isFull else { throw namesTooLong(object) }
        if case .custom(let convertedKey) = options.keyDecodingStrategy {
            convertKeys(of: object, convertedKey)
            // The closure may have decoded the same object.
            guard entry(object).rawKind == JSONEntry.Kind.object.rawValue else { return }
        }
        let end = entry(object).next
        var key = object &+ 1, count = 0, mayRepeat = false, marks: UInt64 = 0
        seenMarks.update(repeating: 0, count: JSONDecodingState.seenWords)
        let fromSnakeCase: Bool
        if case .convertFromSnakeCase = options.keyDecodingStrategy { fromSnakeCase = true } else { fromSnakeCase = false }
        while key < end {
            if fromSnakeCase {
                convertFromSnakeCase(key)
            } else if entry(key).rawKind == JSONEntry.Kind.escapedKey.rawValue {
                convert(key, to: index.keyText(entry(key)), isCached: false)
            }
            let mark = entry(key).keyMark
            let word = Int(truncatingIfNeeded: mark >> 18 & 3), bit: UInt64 = 1 &<< UInt64(mark >> 12)
            mayRepeat = mayRepeat || seenMarks[word] & bit != 0
            seenMarks[word] |= bit
            marks |= bit
            count &+= 1
            key = index.next(after: key &+ 1)
        }
        guard !keys.isFull else { throw namesTooLong(object) }
        if count > JSONDecodingState.linearLimit {
            makeTable(object, count)
        } else if mayRepeat {
            index.markDuplicates(of: object) { earlier, key in
                entry(earlier).keyMark == entry(key).keyMark
                    && isKey(earlier, keys.bytes(entry(key), in: index), keys.length(entry(key), in: index))
            }
        }
        index.entries[object] = entry(object).changed(to: .preparedObject)
        startCursor(of: object, marks: marks)
    }

    /// Returns the place of a member's value, or -1 if a prepared object has no such key.
    ///
    /// - Parameter names: The known names of the key's type, if its keys take only one byte.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key, in object: Int, _ names: UnsafeMutablePointer<JSONKeyName>?) -> Int {
        guard let names, let number = JSONKeyValues<JSONKeyName>.index(of: key) else { return find(key.stringValue, in: object) }
        let name = names[number]
        if let text = name.text { return find(text, Int(name.length), name.mark, in: object) }
        return findNew(key.stringValue, in: object, &names[number])
    }

    /// Finds a key whose name was unknown, and stores the name.
    @inline(never)
    private func findNew(_ name: String, in object: Int, _ stored: inout JSONKeyName) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            stored = nameMemory.store(bytes)
            return find(bytes, in: object)
        }
    }

    /// Returns the place of a member's value, or -1 if a prepared object has no such key.
    @inline(never)
    func find(_ name: String, in object: Int) -> Int {
        var name = name
        return name.withUTF8 { find($0, in: object) }
    }

    @inline(__always)
    private func find(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int {
        let text = name.baseAddress ?? index.bytes
        return find(text, name.count, JSONEntry.keyMark(text, name.count), in: object)
    }

    @inline(__always)
    private func find(_ text: UnsafePointer<UInt8>, _ length: Int, _ mark: UInt32, in object: Int) -> Int {
        let start = cursor(of: object), end = entry(object).next
        // Members are usually decoded in the order of the document.
        if start < end, entry(start).keyMark == mark, isKey(start, text, length) {
            setCursor(of: object, to: index.next(after: start &+ 1))
            return start &+ 1
        }
        return mayHave(mark, in: object) ? search(text, length, mark, in: object, from: start) : -1
    }

    @inline(never)
    private func search(_ text: UnsafePointer<UInt8>, _ length: Int, _ mark: UInt32, in object: Int, from start: Int) -> Int {
        if !tables.isEmpty, let table = tables[object] {
            guard let key = table.find(text, length, isEqual: { isKey($0, text, length) }) else { return -1 }
            setCursor(of: object, to: index.next(after: key + 1))
            return key + 1
        }
        let key =
            search(text, length, mark, from: start, to: entry(object).next) ?? search(text, length, mark, from: object &+ 1, to: start)
        guard let key else { return -1 }
        setCursor(of: object, to: index.next(after: key &+ 1))
        return key &+ 1
    }

    /// Returns the place of a key within a range of places.
    @inline(__always)
    private func search(_ text: UnsafePointer<UInt8>, _ length: Int, _ mark: UInt32, from start: Int, to end: Int) -> Int? {
        var key = start
        while key < end {
            if entry(key).keyMark == mark, isKey(key, text, length) { return key }
            key = index.next(after: key &+ 1)
        }
        return nil
    }

    /// Whether the key at a place has this text and is the first with it.
    @inline(__always)
    private func isKey(_ place: Int, _ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let key = entry(place)
        return !key.isDuplicateKey && keys.length(key, in: index) == length
            && JSONKeyArena.areEqual(keys.bytes(key, in: index), text, length)
    }

    private func namesTooLong(_ object: Int) -> DecodingError {
        corrupted(object, "The converted names of the document are too long")
    }

    // MARK: Duplicates

    private func makeTable(_ object: Int, _ count: Int) {
        var table = JSONKeyTable(capacity: count)
        index.forEachKey(of: object) { key in
            let text = keys.bytes(entry(key), in: index), length = keys.length(entry(key), in: index)
            if !table.insert(key, text, length, isEqual: { isKey($0, text, length) }) { index.markDuplicate(key) }
        }
        tables[object] = table
    }

    // MARK: Conversion

    /// Replaces a key by its text in camel case, if that differs.
    private func convertFromSnakeCase(_ place: Int) {
        let key = entry(place)
        if let cached = keys.cached(key, in: index) {
            index.entries[place] = cached
            return
        }
        let name = UnsafeBufferPointer(start: index.bytes + key.offset, count: index.keyLength(key))
        guard key.rawKind == JSONEntry.Kind.escapedKey.rawValue || name.contains(UInt8(ascii: "_")) else { return }
        convert(place, to: SnakeCase.camelCase(index.keyText(key)), isCached: true)
    }

    /// Replaces the keys of an object by the results of a closure. The closure may use the same decoding.
    private func convertKeys(of object: Int, _ convertedKey: ([any CodingKey]) -> any CodingKey) {
        let path = path(object)
        index.forEachKey(of: object) { key in
            guard !entry(key).isConvertedKey else { return }
            let text = convertedKey(path + [JSONCodingKey(name: index.keyText(entry(key)))]).stringValue
            if !entry(key).isConvertedKey { convert(key, to: text, isCached: false) }
        }
    }

    private func convert(_ place: Int, to text: String, isCached: Bool) {
        var text = text
        let key = entry(place)
        index.entries[place] = text.withUTF8 { keys.add(key, text: $0, in: index, isCached: isCached) }
    }
}
