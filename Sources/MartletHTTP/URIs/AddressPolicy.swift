package import MartletEssentials

/// Which hosts and addresses may be reached: those of the public network, and what is allowed besides. A function of values.
///
/// Refused are private, loopback, link-local, unique-local, carrier-grade, multicast, unspecified, benchmarking, documentation and
/// reserved addresses (RFC 6890), also within IPv4-mapped, NAT64, 6to4, Teredo and ISATAP addresses; the names `localhost`, `*.local`,
/// `*.internal`, `*.home.arpa` and their kin (RFC 6761, RFC 6762, RFC 8375); and hosts that can't be understood. Addresses are
/// recognised however they are spelled: `127.1`, `0x7f.1`, `2130706433`; a number with a leading zero, octal to some and decimal to
/// others, can't be understood.
public struct AddressPolicy: Sendable, Hashable {
    private var names: Set<String> = []
    private var parents: [String] = []
    private var networks: [Network] = []
    /// Whether a name may be looked up by a proxy, where nobody here sees what it means. Default: false.
    public private(set) var allowsProxies = false
    /// What may not be reached by these either.
    private var others: [AddressPolicy] = []

    /// The public network only.
    public static let publicOnly = AddressPolicy()

    private init() {}

    /// The public network, and what is allowed besides.
    ///
    /// Throws `.invalidRequest` for an entry that is none of these.
    ///
    /// - Parameters:
    ///   - allowed: names (`api.corp.example`, or `*.corp.example` for whatever is below it), which may then mean any address, or
    ///     addresses and networks (`10.1.2.3`, `10.1.0.0/16`, `fd00::/8`), which any name may then mean,
    ///     but for those that are refused as names: `localhost` is allowed by its name.
    ///   - allowsProxies: whether a name may be looked up by a proxy.
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

    /// What is to become of a request to a host.
    @nonexhaustive public enum Decision: Sendable, Hashable {
        /// It may be sent, whatever the host's name means.
        case allow
        /// It may be sent when the address that its name means may be reached: see ``AddressPolicy/refusal(ofAddress:)``.
        case allowPublicAddresses
        /// It may not be sent, and why.
        case refuse(String)
    }

    /// What both let be reached.
    package func intersection(_ other: AddressPolicy) -> AddressPolicy {
        var both = self
        for one in [other.alone] + other.others where one != alone && !others.contains(one) { both.others.append(one) }
        return both
    }

    private var alone: AddressPolicy {
        var alone = self
        alone.others = []
        return alone
    }

    /// Decides about a URL's host, by its spelling alone.
    public func decide(host: String) -> Decision {
        let decisions = [ownDecision(host)] + others.map { $0.ownDecision(host) }
        for decision in decisions { if case .refuse = decision { return decision } }
        return decisions.first { $0 != .allow } ?? .allow
    }

    private func ownDecision(_ host: String) -> Decision {
        switch HostSpelling(host) {
        case .unclear(let why): return .refuse("the host “\(Redaction.line(host, limit: 100))” may not be reached: \(why)")
        case .address(let address): return ownRefusal(of: address).map { .refuse($0) } ?? .allowPublicAddresses
        case .name(let name):
            if names.contains(name) || parents.contains(where: name.hasSuffix) { return .allow }
            guard AddressPolicy.isLocal(name) else { return .allowPublicAddresses }
            return .refuse("the host “\(Redaction.line(name, limit: 100))” is a name for this machine or its own network")
        }
    }

    /// Why an address may not be reached, in words; nil when it may. What is no address may not.
    public func refusal(ofAddress text: String) -> String? {
        guard let address = IPAddress(text) else { return "what is to be reached is no IP address that could be looked at" }
        return refusal(of: address)
    }

    package func refusal(of address: IPAddress) -> String? {
        ownRefusal(of: address) ?? others.lazy.compactMap { $0.ownRefusal(of: address) }.first
    }

    private func ownRefusal(of address: IPAddress) -> String? {
        if networks.contains(where: { $0.contains(address) || address.mapped.map($0.contains) == true }) { return nil }
        return AddressRange.special(address).map { "the address \(address) may not be reached: it is \($0)" }
    }

    /// Throws `.addressRefused` when a proxy would look up the name of a URL's host, and may not.
    package func checkProxy(for url: URL) throws(HTTPError) {
        if allowsProxies, others.allSatisfy(\.allowsProxies) { return }
        // An address is looked up by nobody, and was looked at by the guard.
        if case .address = HostSpelling(url.host ?? "") { return }
        throw .addressRefused("a proxy would look the host's name up, where nobody here sees what it means: see allowsProxies")
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
    /// Which addresses may be connected to for this request; nil for all. Set by `PrivateAddressGuard`.
    ///
    /// A transport that makes connections looks at the address that it is about to connect to, or that a kept connection goes to, and
    /// throws `.addressRefused` when the policy refuses it, and for a name that a proxy would look up when the policy does not allow
    /// proxies. One that can't see the address before it connects looks the name up itself, and says in its documentation what it misses.
    public var addressPolicy: AddressPolicy? {
        get { self[only: AddressPolicy.self] }
        set { self[only: AddressPolicy.self] = newValue }
    }
}
