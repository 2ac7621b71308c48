package import MartletEssentials
internal import MartletSystem

/// A policy that lets requests reach only public hosts and addresses, and the exceptions that it names.
///
/// It refuses private, loopback, link-local, unique-local, carrier-grade NAT, multicast, unspecified, benchmarking, documentation and
/// reserved addresses (RFC 6890), also within IPv4-mapped, NAT64, 6to4, Teredo and ISATAP addresses; the names `localhost`, `*.local`,
/// `*.internal`, `*.home.arpa` and similar ones (RFC 6761, RFC 6762, RFC 8375); and ambiguous hosts. It recognises every spelling of an
/// address: `127.1`, `0x7f.1`, `2130706433`. A number with a leading zero is ambiguous, because it can be octal or decimal.
public struct AddressPolicy: Sendable, Hashable {
    private var names: Set<String> = []
    private var parents: [String] = []
    private var networks: [Network] = []
    /// Whether a proxy may resolve host names, whose addresses can't be checked then. Default: false.
    public private(set) var allowsProxies = false
    /// Policies of which each must also allow a request.
    private var others: [AddressPolicy] = []

    /// The policy that allows only public addresses: none that are private, loopback, link-local or reserved.
    public static let publicOnly = AddressPolicy()

    private init() {}

    /// Creates a policy that allows public addresses and the given hosts and networks.
    ///
    /// - Parameters:
    ///   - allowed: Host names (`api.corp.example`, or `*.corp.example` for all names below it), which may then resolve to any address, and
    ///     addresses and networks (`10.1.2.3`, `10.1.0.0/16`, `fd00::/8`), to which any name may then resolve, except for names that are
    ///     refused as such: `localhost` must be allowed by name.
    ///   - allowsProxies: Whether a proxy may resolve host names.
    /// - Throws: `.invalidRequest` for an invalid entry.
    public init(allowing allowed: [String], allowsProxies: Bool = false) throws(HTTPError) {
        self.allowsProxies = allowsProxies
        for entry in allowed {
            if let network = Network(String(entry.withoutBrackets)) {
                networks.append(network)
                continue
            }
            let isParent = entry.hasPrefix("*.")
            guard case .name(let name) = HostSpelling(isParent ? String(entry.dropFirst(2)) : entry) else {
                throw .invalidRequest(Explanation("“\(Redaction.line(entry))” is not a host, an address or a network to allow"))
            }
            if isParent { parents.append("." + name) } else { names.insert(name) }
        }
    }

    /// The decision about a request to a host, by the text of the host alone.
    package enum Decision: Sendable, Hashable {
        /// The request is allowed, whatever address the host name resolves to.
        case allow
        /// The request is allowed if the address of the host is: see ``AddressPolicy/refusal(ofAddress:)``.
        case allowPublicAddresses
        /// The request is refused; the value is the reason, for developers.
        case refuse(String)
    }

    /// Returns the policy that allows only what both policies allow. A guard combines its policy with that of an earlier one.
    public func intersection(_ other: AddressPolicy) -> AddressPolicy {
        var both = self
        for one in [other.alone] + other.others where one != alone && !others.contains(one) { both.others.append(one) }
        return both
    }

    private var alone: AddressPolicy {
        var alone = self
        alone.others = []
        return alone
    }

    /// Returns whether a URL's host is allowed, by its text alone, without resolving it.
    package func decide(host: String) -> Decision {
        let decisions = [ownDecision(host)] + others.map { $0.ownDecision(host) }
        for decision in decisions { if case .refuse = decision { return decision } }
        return decisions.first { $0 != .allow } ?? .allow
    }

    private func ownDecision(_ host: String) -> Decision {
        switch HostSpelling(host) {
        case .unclear(let why): return .refuse("the host “\(Redaction.line(host, limit: 100))” is not allowed: \(why)")
        case .address(let address): return ownRefusal(of: address).map { .refuse($0) } ?? .allowPublicAddresses
        case .name(let name):
            if names.contains(name) || parents.contains(where: name.hasSuffix) { return .allow }
            guard AddressPolicy.isLocal(name) else { return .allowPublicAddresses }
            return .refuse("the host “\(Redaction.line(name, limit: 100))” is not allowed: it names this machine or its local network")
        }
    }

    /// Returns the reason why a URL's host is refused, by its text alone and without resolving it, or nil.
    ///
    /// Nil does not mean that the request is allowed: a name may resolve to an address that ``refusal(ofAddress:)`` refuses. A transport
    /// that knows no addresses can check only the host.
    public func refusal(ofHost host: String) -> String? {
        if case .refuse(let reason) = decide(host: host) { reason } else { nil }
    }

    /// Returns the reason why an IP address is refused, or nil if it is allowed. A text that is not an address is refused.
    public func refusal(ofAddress text: String) -> String? {
        guard let address = IPAddress(text) else { return "the server's address is not an IP address that can be checked" }
        return refusal(of: address)
    }

    package func refusal(of address: IPAddress) -> String? {
        ownRefusal(of: address) ?? others.lazy.compactMap { $0.ownRefusal(of: address) }.first
    }

    private func ownRefusal(of address: IPAddress) -> String? {
        if networks.contains(where: { $0.contains(address) || address.mapped.map($0.contains) == true }) { return nil }
        return AddressRange.special(address).map { "the address \(address) is not allowed: it is \($0)" }
    }

    /// Throws `.addressRefused` if a proxy would resolve the host name of a URL and the policy does not allow it.
    package func checkProxy(for url: URL) throws(HTTPError) {
        if allowsProxies, others.allSatisfy(\.allowsProxies) { return }
        // An address needs no resolution, and the interceptor has checked it.
        if case .address = HostSpelling(url.host ?? "") { return }
        throw .addressRefused("a proxy would resolve the host name, and the address could not be checked: see allowsProxies")
    }

    private static let localNames: Set = [
        "localhost", "localhost6", "ip6-localhost", "ip6-loopback", "broadcasthost", "local", "internal", "localdomain", "localdomain6",
        "home.arpa",
    ]

    private static func isLocal(_ name: String) -> Bool {
        localNames.contains(name) || localNames.contains { name.hasSuffix("." + $0) }
    }
}

extension RequestContext {
    /// The policy for the addresses that this request may connect to, or nil for all addresses. `PrivateAddressGuard` sets it.
    ///
    /// A transport must check the address of each new or reused connection and throw `.addressRefused` if the policy refuses it. It must
    /// also throw for a host name that a proxy would resolve, unless the policy allows proxies. A transport that does not know the address
    /// before it connects resolves the name itself, and documents the cases that this does not cover.
    public var addressPolicy: AddressPolicy? {
        get { self[only: AddressPolicy.self] }
        set { self[only: AddressPolicy.self] = newValue }
    }
}

/// The system's name resolver.
package enum SystemResolver {
    /// Returns the addresses of a name in the order in which to try them (RFC 6724), or nil if there are none. Blocks.
    ///
    /// An address that has no text form is an empty string.
    package static func addresses(of name: String) -> [String]? {
        let addresses = SocketAddress.of(host: name)
        return addresses.isEmpty ? nil : addresses.map(\.numericHost)
    }
}
