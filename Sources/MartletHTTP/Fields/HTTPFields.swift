public import MartletEssentials

/// The header fields of a message (RFC 9110 §5). They keep order and duplicates, and compare names without regard to case.
///
/// ```swift
/// var headers: HTTPFields = ["Accept": "application/json", "X-App": "1"]
/// headers[.userAgent] = "demo/1.0"        // sets, replacing all lines with that name
/// headers.append("Accept", "text/plain")  // adds a line
/// ```
///
/// Lines are stored as received bytes in one buffer. They are converted to text when read: from UTF-8 if valid, otherwise from Latin-1. A
/// name or value that could inject a line is stored, so that literals never trap. Sending it fails with `HTTPError.invalidRequest`: see
/// ``firstInvalidLine``.
public struct HTTPFields: Sendable {
    /// The names and values of all lines in sequence. Bytes of replaced lines remain until the fields are released.
    var bytes: [UInt8] = []
    var lines: [Line] = []

    struct Line: Sendable {
        var start: Int
        var nameLength: Int
        var valueLength: Int
        var isValid: Bool
        var isCredential: Bool
        /// Whether the line was marked as one that does not identify the user.
        var isHarmless = false

        var name: Range<Int> { start..<start + nameLength }
        var value: Range<Int> { start + nameLength..<start + nameLength + valueLength }
    }

    /// Creates empty fields.
    public init() {}

    /// The number of lines, in which a repeated field counts each time.
    public var count: Int { lines.count }

    /// Whether the fields are empty.
    public var isEmpty: Bool { lines.isEmpty }

    /// The approximate number of bytes that the fields take in memory.
    package var memory: Int { bytes.count + lines.count * MemoryLayout<Line>.stride }

    // MARK: Reading

    /// The value of a field, with several lines joined by commas, or nil. Setting it replaces all lines with that name; nil removes them.
    ///
    /// Several lines are joined with `", "` (RFC 9110 §5.3), except for `Set-Cookie`, which can't be joined and returns the first line. Use
    /// ``values(for:)`` for the value of each line.
    public subscript(name: HTTPFieldName) -> String? {
        get {
            var joined: String?
            for line in lines where matches(line, name) {
                guard joined != nil else {
                    joined = text(line.value)
                    if name == .setCookie { return joined }
                    continue
                }
                // Appends in place: a new string for each line would copy all previous ones.
                joined? += ", "
                joined? += text(line.value)
            }
            return joined
        }
        set {
            guard let newValue else { return remove(name) }
            set(name, newValue)
        }
    }

    /// Returns the values of all lines with that name, in order, without splitting them at commas.
    public func values(for name: HTTPFieldName) -> [String] {
        lines.compactMap { matches($0, name) ? text($0.value) : nil }
    }

    /// Returns the values of all lines with that name, as received bytes.
    public func bytes(for name: HTTPFieldName) -> [[UInt8]] {
        lines.compactMap { matches($0, name) ? Array(bytes[$0.value]) : nil }
    }

    /// Calls `body` with the position in `bytes` of each element of a comma-separated list: of all lines with that name, in order, and
    /// without the white space around the elements.
    func forEachElement(of name: HTTPFieldName, _ body: (Range<Int>) -> Void) {
        for line in lines where matches(line, name) {
            var start = line.value.lowerBound
            for position in line.value.lowerBound...line.value.upperBound
            where position == line.value.upperBound || bytes[position] == UInt8(ascii: ",") {
                var end = position
                while start < end, Token.isWhitespace(bytes[start]) { start += 1 }
                while start < end, Token.isWhitespace(bytes[end - 1]) { end -= 1 }
                body(start..<end)
                start = position + 1
            }
        }
    }

    /// Returns whether a line has that name.
    public func contains(_ name: HTTPFieldName) -> Bool { lines.contains { matches($0, name) } }

    /// Returns whether a line has the name of a line of other fields.
    package func containsName(of others: HTTPFields) -> Bool {
        others.lines.contains { other in
            let name = others.bytes[other.name]
            return lines.contains { matches($0, name) }
        }
    }

    /// Returns whether each line of other fields is among these, with the same bytes of its value.
    package func containsLines(of others: HTTPFields) -> Bool {
        others.lines.allSatisfy { other in
            let name = others.bytes[other.name]
            return lines.contains { line in
                line.valueLength == other.valueLength && matches(line, name) && holds(line.value, others.bytes, other.value)
            }
        }
    }

    // MARK: Writing

    /// Appends a line, even if there are lines with that name.
    public mutating func append(_ name: HTTPFieldName, _ value: String) {
        append(nameBytes: name.rawName.utf8, valueBytes: value.utf8)
    }

    /// Appends a line from bytes, without white space around the value, for transports that receive fields.
    public mutating func append(nameBytes: some Collection<UInt8>, valueBytes: some BidirectionalCollection<UInt8>) {
        lines.append(write(nameBytes, trimmed(valueBytes)))
    }

    /// Removes all lines with that name.
    public mutating func remove(_ name: HTTPFieldName) { removeLines(name, from: 0) }

    /// Removes all lines with any of these names. Many names are compared by hash.
    package mutating func remove(anyOf names: [HTTPFieldName]) {
        guard names.count > 4 else {
            for name in names { remove(name) }
            return
        }
        let names = Set(names)
        lines = lines.indices.filter { !names.contains(name(at: $0)) }.map { lines[$0] }
    }

    /// Whether there is an `Idempotency-Key`, by which a server recognises a repeated request. An empty one does not count.
    package var hasIdempotencyKey: Bool { self[.idempotencyKey].map { !$0.trimmingWhitespace.isEmpty } ?? false }

    /// Appends the lines of `defaults` whose names these fields do not have.
    public mutating func addMissing(_ defaults: HTTPFields) {
        let present = lines.count
        if lines.capacity < present + defaults.count { lines.reserveCapacity(present + defaults.count) }
        for (index, line) in defaults.lines.enumerated() {
            let name = defaults.bytes[line.name]
            if !lines[..<present].contains(where: { matches($0, name) }) { appendLine(index, of: defaults) }
        }
    }

    /// Replaces the lines of each name in `others` with the lines of `others`, and keeps all other lines.
    public mutating func replace(with others: HTTPFields) {
        guard !isEmpty else { return self = others }
        remove(anyOf: others.lines.indices.map { others.name(at: $0) })
        for index in others.lines.indices { appendLine(index, of: others) }
    }

    /// The first line that can't be sent because its name is not a token or its value has a control character, or nil if every line can.
    public var firstInvalidLine: HTTPField? { lines.firstIndex { !$0.isValid }.map { self[$0] } }

    private mutating func set(_ name: HTTPFieldName, _ value: String) {
        let line = write(name.rawName.utf8, trimmed(value.utf8))
        guard let first = lines.firstIndex(where: { matches($0, name) }) else { return lines.append(line) }
        let wasCredential = lines[first].isCredential
        lines[first] = line
        lines[first].isCredential = wasCredential
        removeLines(name, from: first + 1)
    }

    /// Removes the lines with that name at `start` and later positions.
    private mutating func removeLines(_ name: HTTPFieldName, from start: Int) {
        for position in (start..<lines.count).reversed() where matches(lines[position], name) { lines.remove(at: position) }
    }

    private mutating func appendLine(_ index: Int, of others: HTTPFields) {
        var line = others.lines[index]
        let source = line.start..<line.value.upperBound
        reserve(source.count)
        line.start = bytes.count
        others.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[source])) }
        lines.append(line)
    }

    /// Reserves memory for one more line: one allocation for each array instead of one for each part of a line.
    private mutating func reserve(_ count: Int) {
        let needed = bytes.count + count
        if needed > bytes.capacity { bytes.reserveCapacity(Swift.max(128, 2 * needed)) }
        if lines.count == lines.capacity { lines.reserveCapacity(Swift.max(4, 2 * lines.count)) }
    }

    private mutating func write(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) -> Line {
        reserve(name.count + value.count)
        let start = bytes.count
        appendBytes(name)
        let middle = bytes.count
        appendBytes(value)
        return Line(
            start: start, nameLength: middle - start, valueLength: bytes.count - middle, isValid: isValid(start, middle),
            isCredential: false)
    }

    /// Appends bytes in one piece if they are in one. The standard library appends a part of a text byte by byte: 40 instructions for each.
    private mutating func appendBytes(_ text: some Collection<UInt8>) {
        if text.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil { bytes.append(contentsOf: text) }
    }

    /// Whether the last line can be sent. Its name begins at `start`, its value at `middle`. Uses indices, because debug builds run
    /// closures over slices many times slower.
    private func isValid(_ start: Int, _ middle: Int) -> Bool {
        guard middle > start else { return false }
        var position = start
        while position < middle {
            guard Token.contains(bytes[position]) else { return false }
            position += 1
        }
        while position < bytes.count {
            guard Token.isFieldContent(bytes[position]) else { return false }
            position += 1
        }
        return true
    }

    private func trimmed<Value: BidirectionalCollection<UInt8>>(_ value: Value) -> Value.SubSequence {
        guard let start = value.firstIndex(where: { !Token.isWhitespace($0) }),
            let end = value.lastIndex(where: { !Token.isWhitespace($0) })
        else { return value[value.startIndex..<value.startIndex] }
        return value[start...end]
    }

    func matches(_ line: Line, _ name: HTTPFieldName) -> Bool {
        let wanted = name.rawName.utf8
        guard line.nameLength == wanted.count else { return false }
        // Names are mostly written alike, and comparing memory is fast.
        let isIdentical = wanted.withContiguousStorageIfAvailable { wanted in
            bytes.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[line.name]).holdsSame(as: wanted) }
        }
        return isIdentical == true || matches(line, wanted)
    }

    private func matches(_ line: Line, _ wanted: some Collection<UInt8>) -> Bool {
        guard line.nameLength == wanted.count else { return false }
        var position = line.start
        for byte in wanted {
            if Token.lowercased(bytes[position]) != Token.lowercased(byte) { return false }
            position += 1
        }
        return true
    }

    private func holds(_ range: Range<Int>, _ others: [UInt8], _ other: Range<Int>) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            others.withUnsafeBufferPointer {
                UnsafeBufferPointer(rebasing: bytes[range]).holdsSame(as: UnsafeBufferPointer(rebasing: $0[other]))
            }
        }
    }

    func text(_ range: Range<Int>) -> String {
        let slice = bytes[range]
        // Latin-1, the historical charset of fields (RFC 9110 §5.5).
        return String(validUTF8: slice) ?? String(latin1: slice)
    }

    private func name(at index: Int) -> HTTPFieldName { HTTPFieldName(text(lines[index].name)) }

    /// Creates fields from the names and values of a dictionary, sorted by name.
    public init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { append(HTTPFieldName(name), value) }
    }

    /// Returns the wait that a `Retry-After` field asks for in seconds or as a date (RFC 9110 §10.2.3), or nil if it is missing or invalid.
    ///
    /// A date in the past returns zero, and fractions of a millisecond are rounded up. Very large numbers are limited to 2,147,483,647
    /// seconds. If the server sends several lines or numbers, which is invalid, the longest wait counts.
    ///
    /// - Parameter now: The current date, which a date is compared with.
    /// - Returns: The wait, or nil if the field is missing or invalid.
    public func retryAfter(now: Date) -> Duration? {
        values(for: .retryAfter).compactMap { HTTPFields.wait($0.trimmingWhitespace, now) }.max()
    }

    /// Returns the largest of the whole numbers in a list, at most `Int64.max`. Nil if the list contains anything else.
    package static func seconds(_ list: some StringProtocol) -> Int64? {
        var largest: Int64?
        for part in list.split(separator: ",") {
            let number = part.trimmingWhitespace
            guard number.isDecimal else { return nil }
            largest = Swift.max(largest ?? 0, Int64(number) ?? .max)
        }
        return largest
    }

    private static func wait(_ text: some StringProtocol, _ now: Date) -> Duration? {
        guard !text.isEmpty else { return nil }
        if let seconds = seconds(text) { return .seconds(Int32(clamping: seconds)) }
        guard let date = HTTPDate(text, now: now)?.date else { return nil }
        return .milliseconds(Int64((Swift.max(0, date.timeIntervalSince(now)) * 1000).rounded(.up)))
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The position of the first line, 0.
    public var startIndex: Int { 0 }
    /// The position after the last line.
    public var endIndex: Int { lines.count }

    /// The line at a position, with its value as text.
    public subscript(position: Int) -> HTTPField {
        HTTPField(name: name(at: position), value: text(lines[position].value), isMarked: lines[position].isCredential)
    }

    /// Calls `body` with the bytes of each line in order, without creating text. For transports that send fields.
    public func forEachLineOfBytes(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
        for line in lines { body(bytes[line.name], bytes[line.value]) }
    }
}

extension HTTPFields: Hashable {
    /// Returns whether each name has the same values in the same order, whatever the order of different names (RFC 9110 §5.3).
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count
            && left.lines.allSatisfy { line in
                // Compares bytes: a name that is not valid UTF-8 can't be found by its text.
                let name = left.bytes[line.name]
                return left.values(named: name) == right.values(named: name)
            }
    }

    private func values(named name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        lines.compactMap { matches($0, name) ? bytes[$0.value] : nil }
    }

    /// Hashes only the number of lines, because equal fields may order their lines differently.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

/// A line of header fields: a name and its value as text.
public struct HTTPField: Hashable, Sendable {
    /// The field's name.
    public let name: HTTPFieldName
    /// The value of the line.
    public let value: String
    /// Whether the line was marked as a credential.
    package let isMarked: Bool

    /// Whether the line carries a credential, because it was marked as one or its name indicates one.
    public var isCredential: Bool { isMarked || name.isAlwaysCredential }

    /// Returns whether the names, the bytes of the values, and whether the lines carry credentials are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.value.hasSameBytes(as: right.value) && left.isCredential == right.isCredential
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Creates fields with one line for each pair, in order. Names may repeat.
    public init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
