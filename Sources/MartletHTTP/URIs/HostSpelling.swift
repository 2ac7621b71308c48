/// The meaning of a URL's host in any spelling, as the most lenient resolvers would read it.
package enum HostSpelling: Hashable, Sendable {
    case address(IPAddress)
    /// A name in lower case without a trailing dot.
    case name(String)
    /// An invalid or ambiguous host, with the reason.
    case unclear(String)

    /// Interprets a host: `127.1`, `0x7f.1`, `2130706433`, `127.0.0.1.` and `[::ffff:127.0.0.1]` are all addresses.
    package init(_ host: String) {
        let text = PercentEncoding.unescapedText(host)
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            // The resolver maps many characters to ASCII, such as full-width digits and ideographic dots. No list of them is complete.
            self = .unclear("it has characters that are not ASCII: write the name in its xn-- form")
            return
        }
        if text.contains(":") || text.hasPrefix("[") || text.hasSuffix("]") {
            self = HostSpelling.literal(text)
            return
        }
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty), name.utf8.allSatisfy(HostSpelling.isNamePart) else {
            self = .unclear("it is not a valid host name")
            return
        }
        guard let last = labels.last, HostSpelling.isNumber(last) else {
            self = .name(name)
            return
        }
        guard !labels.contains(where: HostSpelling.isAmbiguous) else {
            self = .unclear("a number in it begins with a zero: some programs read it as octal, others as decimal")
            return
        }
        // A host that ends in a number is an address or invalid (WHATWG URL §3.5).
        self = HostSpelling.numbers(labels).map { .address($0) } ?? .unclear("it ends in a number and is not an address")
    }

    /// Whether the host is this machine: an address in 127.0.0.0/8, also IPv4-mapped, `::1`, or `localhost`.
    package var isLoopback: Bool {
        switch self {
        case .address(let address): AddressRange.isLoopback(address.mapped ?? address)
        case .name(let name): name == "localhost"
        case .unclear: false
        }
    }

    private static func literal(_ text: String) -> HostSpelling {
        let inner = text.withoutBrackets
        if inner.contains("%") { return .unclear("it is an address with a zone, which is valid on one link only") }
        return IPAddress(inner).map { .address($0) } ?? .unclear("it is not a valid IPv6 address")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { Token.isAlphanumeric(byte) || "-_.".utf8.contains(byte) }

    private static func isNumber(_ label: Substring) -> Bool {
        label.isDecimal || label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private static func isAmbiguous(_ label: Substring) -> Bool {
        label.hasPrefix("0") && label.isDecimal && UInt64(label, radix: 8) != UInt64(label)
    }

    /// Parses one to four decimal, octal or hexadecimal numbers, the last of which fills the remaining bytes, as `inet_aton` does.
    private static func numbers(_ labels: [Substring]) -> IPAddress? {
        guard labels.count <= 4 else { return nil }
        let values = labels.compactMap(number)
        guard values.count == labels.count, let last = values.last, values.dropLast().allSatisfy({ $0 < 256 }),
            last < 1 << (8 * UInt64(5 - values.count))
        else { return nil }
        var whole = last
        for (index, value) in values.dropLast().enumerated() { whole |= value << (24 - 8 * UInt64(index)) }
        return IPAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: whole >> (24 - 8 * UInt64($0))) })
    }

    private static func number(_ label: Substring) -> UInt64? {
        if label.hasPrefix("0x") { return label.count == 2 ? 0 : UInt64(label.dropFirst(2), radix: 16) }
        if label.count > 1, label.hasPrefix("0") { return UInt64(label, radix: 8) }
        return UInt64(label)
    }
}
