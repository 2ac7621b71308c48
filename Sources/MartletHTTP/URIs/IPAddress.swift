/// An IP address. Different spellings are equal: `::1` and `0:0:0:0:0:0:0:1`.
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes of the address in network order.
    let bytes: [UInt8]

    /// Creates an address from a form of RFC 4291 §2.2 or from four decimal numbers. Nil for a name. Ignores brackets and a zone.
    package init?(_ text: some StringProtocol) {
        let text = String(text).withoutBrackets
        guard let bytes = text.contains(":") ? IPAddress.v6(text.prefix { $0 != "%" }) : IPAddress.v4(text) else { return nil }
        self.bytes = bytes
    }

    /// Creates an address from 4 or 16 bytes. Nil for any other number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The IPv4 address within an IPv4-mapped address (RFC 4291 §2.5.5.2). Nil for any other address.
    var mapped: IPAddress? {
        guard bytes.count == 16, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else { return nil }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    /// Whether the first `count` bits equal those of `other`.
    func sharesPrefix(of count: Int, with other: IPAddress) -> Bool {
        guard bytes.count == other.bytes.count, (0...bytes.count * 8).contains(count) else { return false }
        let rest = count % 8
        guard bytes.prefix(count / 8) == other.bytes.prefix(count / 8) else { return false }
        return rest == 0 || bytes[count / 8] >> (8 - rest) == other.bytes[count / 8] >> (8 - rest)
    }

    private static func v4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { $0.isDecimal ? UInt8($0) : nil }
        return bytes.count == 4 ? bytes : nil
    }

    private static func v6(_ text: Substring) -> [UInt8]? {
        var head: [UInt8] = [], tail: [UInt8]?
        var rest = text
        if rest.hasPrefix("::") {
            tail = []
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let part = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(part.count)
            guard let group = rest.isEmpty && part.contains(".") ? v4(part) : group(part) else { return nil }
            if tail == nil { head += group } else { tail? += group }
            if rest.hasPrefix("::") {
                guard tail == nil else { return nil }
                tail = []
                rest = rest.dropFirst(2)
            } else if !rest.isEmpty {
                rest = rest.dropFirst()
                if rest.isEmpty { return nil }
            }
        }
        guard let tail else { return head.count == 16 ? head : nil }
        let missing = 16 - head.count - tail.count
        return missing >= 2 ? head + [UInt8](repeating: 0, count: missing) + tail : nil
    }

    private static func group(_ part: Substring) -> [UInt8]? {
        guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let value = UInt16(part, radix: 16) else { return nil }
        return [UInt8(value >> 8), UInt8(value & 0xFF)]
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as four decimal or eight hexadecimal numbers, never shortened.
    package var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: bytes.count, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}
