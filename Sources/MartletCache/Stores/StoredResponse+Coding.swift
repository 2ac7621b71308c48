public import MartletEssentials

// Lengths and numbers are eight bytes, most significant first. A string is its length in bytes and its UTF-8; nil is the maximum length.
// Every value is checked when it is read, because a file or a server may contain anything.

extension StoredResponse {
    private static let magic: [UInt8] = Array("MRT1".utf8)

    /// The head as bytes in Martlet's own format, for stores on disk or on a server.
    public var encoded: Data {
        var writer = Writer(bytes: StoredResponse.magic)
        for text in [id, key.uri, key.scope] { writer.write(text) }
        writer.write(variant.selectors.count)
        for selector in variant.selectors {
            writer.write(selector.name)
            writer.write(selector.value)
        }
        writer.write(status.rawValue)
        for date in [requestTime, responseTime] { writer.write(date.timeIntervalSinceReferenceDate.bitPattern) }
        writer.write(UInt64((part == nil ? 0 : 1) | (wasContentCoded ? 2 : 0) | (isInvalidated ? 4 : 0)))
        if let part {
            for number in [part.bounds.lowerBound, part.bounds.upperBound, part.total ?? -1] { writer.write(UInt64(bitPattern: number)) }
        }
        writer.write(headers.count)
        headers.forEachLineOfBytes { name, value in
            writer.write(name)
            writer.write(value)
        }
        return Data(writer.bytes)
    }

    /// Creates a head from the bytes of ``encoded``, or returns nil for any other bytes.
    public init?(encoded: Data) {
        var reader = Reader(rest: Array(encoded)[...])
        guard reader.skip(StoredResponse.magic), let id = reader.text(), let uri = reader.text(), let scope = reader.text(),
            let variant = reader.variant(), let status = reader.number().flatMap(Int.init(exactly:)), (0...999).contains(status),
            let requestTime = reader.date(), let responseTime = reader.date(), let flags = reader.number(), flags < 8
        else { return nil }
        var part: Part?
        if flags & 1 != 0 {
            guard let read = reader.part() else { return nil }
            part = read
        }
        guard let headers = reader.fields(), reader.isAtEnd else { return nil }
        self.init(
            id: id, key: CacheKey(uri: uri, scope: scope), variant: variant, status: HTTPStatus(rawValue: status), headers: headers,
            requestTime: requestTime, responseTime: responseTime, part: part, wasContentCoded: flags & 2 != 0,
            isInvalidated: flags & 4 != 0)
    }

    private struct Writer {
        var bytes: [UInt8]

        mutating func write(_ number: UInt64) {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
        }

        mutating func write(_ number: Int) { write(UInt64(bitPattern: Int64(number))) }

        mutating func write(_ text: String?) {
            guard let text else { return write(UInt64.max) }
            write(Array(text.utf8)[...])
        }

        mutating func write(_ content: ArraySlice<UInt8>) {
            write(content.count)
            bytes += content
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skip(_ prefix: [UInt8]) -> Bool {
            guard rest.starts(with: prefix) else { return false }
            rest = rest.dropFirst(prefix.count)
            return true
        }

        mutating func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// Reads a length and that many bytes. The length cannot exceed the remaining bytes.
        mutating func content() -> ArraySlice<UInt8>? {
            guard let count = number(), count <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return rest.prefix(Int(count))
        }

        mutating func text() -> String? { content().flatMap { String(validUTF8: $0) } }

        mutating func date() -> Date? {
            guard let seconds = number().map(Double.init(bitPattern:)), abs(seconds) < 1e12 else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds)
        }

        mutating func variant() -> CacheVariant? {
            // Each selector has at least sixteen bytes.
            guard let count = number(), count <= UInt64(rest.count / 16) else { return nil }
            var selectors: [CacheVariant.Selector] = []
            for _ in 0..<count {
                guard let name = text() else { return nil }
                let isAbsent = skip([UInt8](repeating: 0xFF, count: 8)), value = isAbsent ? nil : text()
                guard isAbsent || value != nil else { return nil }
                selectors.append(CacheVariant.Selector(name: name, value: value))
            }
            return CacheVariant(selectors)
        }

        mutating func part() -> Part? {
            guard let first = number().map(Int64.init(bitPattern:)), let last = number().map(Int64.init(bitPattern:)),
                let total = number().map(Int64.init(bitPattern:)), 0 <= first, first <= last, last < .max, total == -1 || last < total
            else { return nil }
            return Part(bounds: first...last, total: total == -1 ? nil : total)
        }

        mutating func fields() -> HTTPFields? {
            guard let count = number(), count <= UInt64(rest.count / 16) else { return nil }
            var fields = HTTPFields()
            for _ in 0..<count {
                guard let name = content(), let value = content() else { return nil }
                fields.append(nameBytes: name, valueBytes: value)
            }
            // A valid head never contains a line that cannot be sent.
            return fields.firstInvalidLine == nil ? fields : nil
        }
    }
}
