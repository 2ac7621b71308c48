/// Classifies addresses by the special ranges of RFC 6890 and the IANA registries.
enum AddressRange {
    /// Returns the name of the special range that contains an address, or nil for a public address.
    static func special(_ address: IPAddress) -> String? {
        address.bytes.count == 4 ? special4(address) : special6(address)
    }

    /// Whether an address is a loopback address: 127.0.0.0/8 or `::1`.
    static func isLoopback(_ address: IPAddress) -> Bool { special(address) == loopback }

    private static let loopback = "loopback"

    // MARK: IPv4

    private static let ranges4: [(network: Network, name: String)] = [
        ("0.0.0.0", 8, "unspecified"), ("10.0.0.0", 8, "private"), ("100.64.0.0", 10, "carrier-grade NAT"), ("127.0.0.0", 8, loopback),
        ("169.254.0.0", 16, "link-local"), ("172.16.0.0", 12, "private"), ("192.0.0.0", 24, "reserved for protocols"),
        ("192.0.2.0", 24, "documentation"), ("192.88.99.0", 24, "6to4 relay"), ("192.168.0.0", 16, "private"),
        ("198.18.0.0", 15, "benchmarking"), ("198.51.100.0", 24, "documentation"), ("203.0.113.0", 24, "documentation"),
        // Public according to the registries. Within Azure, it gives a machine its secrets.
        ("168.63.129.16", 32, "a cloud's metadata service"), ("224.0.0.0", 4, "multicast"), ("255.255.255.255", 32, "broadcast"),
        ("240.0.0.0", 4, "reserved"),
    ].compactMap { text, bits, name in Network(text, bits).map { ($0, name) } }

    private static func special4(_ address: IPAddress) -> String? { ranges4.first { $0.network.contains(address) }?.name }

    // MARK: IPv6

    /// The special ranges with a name. Other addresses outside 2000::/3 are not assigned.
    private static let ranges6: [(network: Network, name: String)] = [
        ("::", 128, "unspecified"), ("::1", 128, loopback), ("fe80::", 10, "link-local"), ("fec0::", 10, "site-local"),
        ("fc00::", 7, "unique local"), ("ff00::", 8, "multicast"), ("64:ff9b:1::", 48, "local NAT64"), ("100::", 64, "discarded"),
        ("2001:db8::", 32, "documentation"), ("3fff::", 20, "documentation"), ("2001:2::", 48, "benchmarking"),
        ("2001:10::", 28, "ORCHID"), ("2001:20::", 28, "ORCHID"), ("5f00::", 16, "segment routing"),
    ].compactMap { text, bits, name in Network(text, bits).map { ($0, name) } }

    /// The ranges whose addresses contain an IPv4 address, with its positions.
    private static let embedding: [(network: Network, name: String, places: [Int])] = [
        ("::ffff:0:0", 96, "IPv4-mapped", [12]), ("64:ff9b::", 96, "NAT64", [12]), ("2002::", 16, "6to4", [2]),
        ("2001::", 32, "Teredo", [4, 12]),
    ].compactMap { text, bits, name, places in Network(text, bits).map { ($0, name, places) } }

    private static let global = Network("2000::", 3)
    private static let protocols = Network("2001::", 23)

    private static func special6(_ address: IPAddress) -> String? {
        if let found = ranges6.first(where: { $0.network.contains(address) }) { return found.name }
        if let found = embedding.first(where: { $0.network.contains(address) }) {
            return found.places.lazy.compactMap { embedded(address, at: $0, isHidden: found.name == "Teredo" && $0 == 12) }
                .first.map { "\(found.name) of \($0)" }
        }
        // ISATAP (RFC 5214): the interface identifier contains an IPv4 address.
        if [[0, 0, 0x5E, 0xFE], [2, 0, 0x5E, 0xFE]].contains(Array(address.bytes[8..<12])), let kind = embedded(address, at: 12) {
            return "ISATAP of \(kind)"
        }
        if protocols?.contains(address) == true { return "reserved for protocols" }
        return global?.contains(address) == true ? nil : "not of the public network"
    }

    /// Returns the kind of the embedded IPv4 address. Teredo inverts the bits of the client's address (RFC 4380 §4).
    private static func embedded(_ address: IPAddress, at place: Int, isHidden: Bool = false) -> String? {
        let bytes = address.bytes[place..<place + 4].map { isHidden ? ~$0 : $0 }
        return IPAddress(bytes: bytes).flatMap(special4)
    }
}

/// A network: an address and the length of its prefix in bits.
struct Network: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    init?(_ text: some StringProtocol, _ bits: Int) {
        guard let address = IPAddress(text), (0...address.bytes.count * 8).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Creates a network from a text such as `10.0.0.0/8`, or from a single address.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard !text.contains("%"), let address = IPAddress(parts[0]) else { return nil }
        let bits = parts.count == 1 ? address.bytes.count * 8 : parts[1].isDecimal ? Int(parts[1]) : nil
        guard let bits else { return nil }
        self.init(parts[0], bits)
    }

    func contains(_ other: IPAddress) -> Bool { other.sharesPrefix(of: bits, with: address) }
}
