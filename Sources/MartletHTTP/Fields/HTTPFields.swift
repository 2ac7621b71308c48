/// The fields of a message (RFC 9110 §5): ordered, with duplicates, compared by name without regard to case.
///
/// ```swift
/// var headers: HTTPFields = ["Accept": "application/json", "X-App": "1"]
/// headers[.userAgent] = "demo/1.0"        // sets, replacing every line of that name
/// headers.append("Accept", "text/plain")  // a further line
/// ```
///
/// Lines are kept as the bytes that were received, in one buffer, and become text when they are asked for: as UTF-8 where it is
/// valid, else as Latin-1. A name or value that could inject a line is kept, so that literals never trap, and refused with
/// `HTTPError.invalidRequest` before anything is sent: see ``firstInvalidLine``.
public struct HTTPFields: Sendable {
    /// Every line's name and value, one after the other. Replaced lines leave their bytes behind until the fields go.
    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    private struct Line: Sendable {
        var start: Int
        var nameLength: Int
        var valueLength: Int
        var isValid: Bool
        var isCredential: Bool

        var name: Range<Int> { start..<start + nameLength }
        var value: Range<Int> { start + nameLength..<start + nameLength + valueLength }
    }

    /// No fields.
    public init() {}

    /// How many lines there are.
    public var count: Int { lines.count }

    /// Whether there are none.
    public var isEmpty: Bool { lines.isEmpty }

    // MARK: Reading

    /// The value of a field, or nil. Setting replaces every line of that name; nil removes them.
    ///
    /// Several lines are joined with `", "` (RFC 9110 §5.3), but for `Set-Cookie`, which can't be joined: it gives the first. Use
    /// ``values(for:)`` for each line's own.
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

    /// The value of every line of that name, in order.
    public func values(for name: HTTPFieldName) -> [String] {
        lines.compactMap { matches($0, name) ? text($0.value) : nil }
    }

    /// The value of every line of that name, as the bytes that were received.
    public func bytes(for name: HTTPFieldName) -> [[UInt8]] {
        lines.compactMap { matches($0, name) ? Array(bytes[$0.value]) : nil }
    }

    /// Whether there is a line of that name.
    public func contains(_ name: HTTPFieldName) -> Bool { lines.contains { matches($0, name) } }

    // MARK: Writing

    /// Adds a line at the end.
    public mutating func append(_ name: HTTPFieldName, _ value: String) {
        append(nameBytes: name.rawName.utf8, valueBytes: value.utf8)
    }

    /// Adds a line of bytes at the end, without the white space around the value: what a transport does with what it receives.
    public mutating func append(nameBytes: some Collection<UInt8>, valueBytes: some BidirectionalCollection<UInt8>) {
        lines.append(write(nameBytes, trimmed(valueBytes)))
    }

    /// Adds a line of bytes at the end, as `append(nameBytes:valueBytes:)` does: not generic, so that other modules get fast code.
    package mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        append(nameBytes: name, valueBytes: value)
    }

    /// Makes room for lines whose number and size are known.
    package mutating func reserveCapacity(lines count: Int, bytes size: Int) {
        lines.reserveCapacity(count)
        bytes.reserveCapacity(size)
    }

    /// Removes every line of that name.
    public mutating func remove(_ name: HTTPFieldName) { lines = lines.filter { !matches($0, name) } }

    /// Removes all lines with any of these names. Many names are compared by hash.
    package mutating func remove(anyOf names: [HTTPFieldName]) {
        guard names.count > 4 else {
            for name in names { remove(name) }
            return
        }
        let names = Set(names)
        lines = lines.indices.filter { !names.contains(name(at: $0)) }.map { lines[$0] }
    }

    /// Whether there is a key by which a server tells that it has seen the request before; an empty one tells nothing.
    package var hasIdempotencyKey: Bool { self[.idempotencyKey].map { !$0.trimmingWhitespace.isEmpty } ?? false }

    /// Adds a line for each name that is not there yet.
    public mutating func addMissing(_ defaults: HTTPFields) {
        let present = self
        for (index, line) in defaults.lines.enumerated() {
            let name = defaults.bytes[line.name]
            if !present.lines.contains(where: { present.matches($0, name) }) { appendLine(index, of: defaults) }
        }
    }

    /// Replaces the lines of each name that `others` has with those of `others`.
    public mutating func replace(with others: HTTPFields) {
        guard !isEmpty else { return self = others }
        remove(anyOf: others.lines.indices.map { others.name(at: $0) })
        for index in others.lines.indices { appendLine(index, of: others) }
    }

    /// Marks every line with this name as a credential: it is not sent to another origin, and is hidden in logs, errors and recordings.
    ///
    /// Names that indicate a credential need no mark: see ``HTTPFieldName/isAlwaysCredential``.
    public mutating func markAsCredential(_ name: HTTPFieldName) {
        for index in lines.indices where matches(lines[index], name) { lines[index].isCredential = true }
    }

    /// Removes every credential: marked lines, and lines whose name indicates a credential.
    public mutating func removeCredentials() {
        let all = self
        lines = lines.indices.filter { !all.isCredential(at: $0) }.map { lines[$0] }
    }

    /// Calls `body` with the bytes of each line that carries a credential.
    package func forEachCredential(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
        for (index, line) in lines.enumerated() where isCredential(at: index) {
            body(bytes[line.name], bytes[line.value])
        }
    }

    /// The first line that can't be sent: a name that is not a token, or a value with a control character; nil when all can be.
    public var firstInvalidLine: HTTPField? { lines.firstIndex { !$0.isValid }.map { self[$0] } }

    private mutating func set(_ name: HTTPFieldName, _ value: String) {
        let line = write(name.rawName.utf8, trimmed(value.utf8))
        guard let first = lines.firstIndex(where: { matches($0, name) }) else { return lines.append(line) }
        let wasCredential = lines[first].isCredential
        lines[first] = line
        lines[first].isCredential = wasCredential
        var later = lines.count - 1
        while later > first {
            if matches(lines[later], name) { lines.remove(at: later) }
            later -= 1
        }
    }

    private mutating func appendLine(_ index: Int, of others: HTTPFields) {
        var line = write(others.bytes[others.lines[index].name], others.bytes[others.lines[index].value])
        line.isCredential = others.lines[index].isCredential
        lines.append(line)
    }

    private mutating func write(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) -> Line {
        let start = bytes.count
        bytes.append(contentsOf: name)
        let middle = bytes.count
        bytes.append(contentsOf: value)
        return Line(
            start: start, nameLength: middle - start, valueLength: bytes.count - middle, isValid: isValid(start, middle),
            isCredential: false)
    }

    /// Whether the last line can be sent, whose name is at `start` and its value at `middle`. By index: a debug build runs closures over
    /// slices many times slower.
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

    private func matches(_ line: Line, _ name: HTTPFieldName) -> Bool { matches(line, name.rawName.utf8) }

    private func matches(_ line: Line, _ wanted: some Collection<UInt8>) -> Bool {
        guard line.nameLength == wanted.count else { return false }
        var position = line.start
        for byte in wanted {
            if Token.lowercased(bytes[position]) != Token.lowercased(byte) { return false }
            position += 1
        }
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        let slice = bytes[range]
        // Latin-1, the historical charset of fields (RFC 9110 §5.5).
        return String(validUTF8: slice) ?? String(latin1: slice)
    }

    private func name(at index: Int) -> HTTPFieldName { HTTPFieldName(text(lines[index].name)) }

    private func isCredential(at index: Int) -> Bool {
        lines[index].isCredential || SecretNames.contains(text(lines[index].name))
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The first line's position: 0.
    public var startIndex: Int { 0 }
    /// The position after the last line.
    public var endIndex: Int { lines.count }

    /// A line, its value as text.
    public subscript(position: Int) -> HTTPField {
        HTTPField(name: name(at: position), value: text(lines[position].value), isMarked: lines[position].isCredential)
    }

    /// Calls `body` with the bytes of each line, in order, without making text of them: what a transport writes.
    public func forEachLineOfBytes(_ body: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) {
        for line in lines { body(bytes[line.name], bytes[line.value]) }
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// A line for each pair, in the order they are written; a name may come twice.
    public init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPFields: Hashable {
    /// Whether each name has the same values in the same order. The order of different names has no meaning (RFC 9110 §5.3).
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count
            && left.lines.allSatisfy { line in
                // By bytes: a name that is not UTF-8 has no text that would find it again.
                let name = left.bytes[line.name]
                return left.values(named: name) == right.values(named: name)
            }
    }

    private func values(named name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        lines.compactMap { matches($0, name) ? bytes[$0.value] : nil }
    }

    /// Hashes the number of lines: the cheapest of what two equal fields share.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

/// One line of fields: a name and its value as text.
public struct HTTPField: Hashable, Sendable {
    /// The field's name.
    public let name: HTTPFieldName
    /// The line's value.
    public let value: String
    /// Whether the line was marked as a credential.
    let isMarked: Bool

    /// Whether the line carries a credential, by its mark or by its name.
    public var isCredential: Bool { isMarked || name.isAlwaysCredential }

    /// Compares the name, the value and whether the line carries a credential.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.value == right.value && left.isCredential == right.isCredential
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}
