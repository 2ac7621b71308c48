/// What a URL's host is, however it is spelled: as the most lenient of resolvers would read it.
package enum HostSpelling: Hashable, Sendable {
    case address(IPAddress)
    /// A name, in lower case and without the root's dot.
    case name(String)
    /// Nothing that may be sent to, and why.
    case unclear(String)

    /// Reads a host: `127.1`, `0x7f.1`, `2130706433`, `127.0.0.1.` and `[::ffff:127.0.0.1]` are all addresses.
    package init(_ host: String) {
        let text = PercentEncoding.unescapedText(host)
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            // Full-width digits and ideographic dots become plain ones on their way to the resolver, and there is no end of such signs.
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
            self = .unclear("it is no name of a host")
            return
        }
        guard let last = labels.last, HostSpelling.isNumber(last) else {
            self = .name(name)
            return
        }
        guard !labels.contains(where: HostSpelling.isAmbiguous) else {
            self = .unclear("a number in it begins with a zero: some read it as octal, and others, like many a proxy, as decimal")
            return
        }
        // What ends in a number is an address or nothing (WHATWG URL §3.5).
        self = HostSpelling.numbers(labels).map { .address($0) } ?? .unclear("it ends in a number and is no address")
    }

    /// Whether the host is this machine: an address of 127.0.0.0/8, also IPv4-mapped, `::1`, or `localhost`.
    package var isLoopback: Bool {
        switch self {
        case .address(let address): AddressRange.isLoopback(address.mapped ?? address)
        case .name(let name): name == "localhost"
        case .unclear: false
        }
    }

    private static func literal(_ text: String) -> HostSpelling {
        let inner = text.withoutBrackets
        if inner.contains("%") { return .unclear("it is an address with a zone, which is good on one link only") }
        return IPAddress(inner).map { .address($0) } ?? .unclear("it is no IPv6 address")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { Token.isAlphanumeric(byte) || "-_.".utf8.contains(byte) }

    private static func isNumber(_ label: Substring) -> Bool {
        label.isDecimal || label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private static func isAmbiguous(_ label: Substring) -> Bool {
        label.hasPrefix("0") && label.isDecimal && UInt64(label, radix: 8) != UInt64(label)
    }

    /// One to four numbers, decimal, octal or hexadecimal, of which the last fills the bytes that are left: as `inet_aton` reads them.
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
