/// A rule for hosts that are reached without the proxy: an entry of `no_proxy`.
struct ProxyBypass: Hashable {
    private enum Hosts: Hashable {
        case all
        /// A name and every name below it.
        case name(String)
        case address(IPAddress)
        case network(Network)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Creates a rule from `*`, `example.com`, `.example.com`, `*.example.com`, `10.0.0.1`, `10.0.0.0/8` or `::1`, each optionally with
    /// `:port` (an IPv6 address is then in brackets). Nil for any other text, which matches no host.
    init?(_ rule: some StringProtocol) {
        let rule = String(rule.trimmingWhitespace)
        if let slash = rule.firstIndex(of: "/") {
            guard let bits = Int(rule[rule.index(after: slash)...]), let network = Network(rule[..<slash], bits) else { return nil }
            hosts = .network(network)
            port = nil
            return
        }
        var name = rule[...]
        (name, port) = ProxyBypass.splitPort(name)
        if let address = IPAddress(name) {
            hosts = .address(address)
            return
        }
        if name == "*" {
            hosts = .all
            return
        }
        if name.hasPrefix("*.") { name = name.dropFirst() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        let normal = HostName.normalized(name)
        guard !normal.isEmpty, !normal.contains("*") else { return nil }
        hosts = .name(normal)
    }

    /// Whether an origin is reached without the proxy.
    func includes(_ origin: Origin) -> Bool {
        if let port, port != origin.port { return false }
        let host = HostName.normalized(origin.host)
        let address = IPAddress(host)
        switch hosts {
        case .all: return true
        case .name(let name): return host == name || address == nil && host.hasSuffix("." + name)
        case .address(let wanted): return address == wanted
        case .network(let network): return address.map(network.contains) ?? false
        }
    }

    /// Splits off a port. A colon precedes a port if it is the only one, or if it follows the bracket of an IPv6 address.
    private static func splitPort(_ text: Substring) -> (name: Substring, port: Int?) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else { return (text, nil) }
        let name = text[..<colon]
        return name.hasSuffix("]") || !name.contains(":") ? (name, port) : (text, nil)
    }
}
