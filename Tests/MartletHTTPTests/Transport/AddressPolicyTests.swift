import Foundation
import Testing

@testable import MartletHTTP

@Suite("AddressPolicy", .timeLimit(.minutes(5)))
struct AddressPolicyTests {
    private func isRefused(_ host: String, _ policy: AddressPolicy = .publicOnly) -> Bool {
        policy.refusal(ofHost: host) != nil
    }

    @Test(
        "Special addresses, local names and ambiguous hosts are refused without name resolution",
        arguments: [
            "127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1.", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "0",
            "localhost", "LOCALHOST.", "a.localhost", "localhost.localdomain", "ip6-localhost", "printer.local", "metadata.google.internal",
            "nas.home.arpa", "１２７.0.0.1", "127。0。0。1", "[fe80::1%25eth0]", "", "a..b",
        ])
    func refused(host: String) { #expect(isRefused(host)) }

    @Test(
        "Other names and public addresses are allowed if the resolved address is public",
        arguments: ["example.com", "8.8.8.8", "[2606:4700::1]"])
    func passing(host: String) { #expect(AddressPolicy.publicOnly.decide(host: host) == .allowPublicAddresses) }

    @Test("Exactly the allowed names, names below them, addresses and networks are allowed")
    func allowing() throws {
        let policy = try AddressPolicy(allowing: ["Api.Corp.example.", "*.inner.example", "10.1.0.0/16", "[::1]", "localhost"])
        for host in ["api.corp.example", "API.corp.EXAMPLE.", "a.inner.example", "a.b.inner.example", "localhost"] {
            #expect(policy.decide(host: host) == .allow, "\(host)")
        }
        for host in ["inner.example", "xapi.corp.example", "a.api.corp.example", "xinner.example", "10.1.2.3", "[::1]"] {
            #expect(policy.decide(host: host) == .allowPublicAddresses, "\(host)")
        }
        for host in ["10.2.0.1", "127.0.0.1", "[::2]", "a.localhost"] { #expect(isRefused(host, policy), "\(host)") }
        #expect(policy.refusal(ofAddress: "10.1.255.255") == nil && policy.refusal(ofAddress: "::ffff:10.1.0.1") == nil)
        #expect(policy.refusal(ofAddress: "10.2.0.0") != nil)
    }

    @Test(
        "An invalid entry throws .invalidRequest",
        arguments: ["", "*", "*.", "10.0.0.0/99", "a b", "http://h", "a:80", "*.*.x", "256.1.1.1"])
    func badEntries(entry: String) {
        #expect { try AddressPolicy(allowing: [entry]) } throws: { if case HTTPError.invalidRequest = $0 { true } else { false } }
    }

    @Test("The reason for a refused address is described, and an invalid address is refused")
    func addresses() {
        #expect(AddressPolicy.publicOnly.refusal(ofAddress: "8.8.8.8") == nil)
        #expect(AddressPolicy.publicOnly.refusal(ofAddress: "10.0.0.1") == "the address 10.0.0.1 is not allowed: it is private")
        #expect(AddressPolicy.publicOnly.refusal(ofAddress: "fe80::1%lo")?.contains("link-local") == true)
        for text in ["", "/tmp/socket", "name"] { #expect(AddressPolicy.publicOnly.refusal(ofAddress: text) != nil) }
    }

    @Test("A proxy may resolve names only if the policy allows it; addresses need no resolution")
    func proxies() throws {
        let name = URL(string: "https://a.example/")!, address = URL(string: "https://8.8.8.8/")!
        #expect { try AddressPolicy.publicOnly.checkProxy(for: name) } throws: {
            if case HTTPError.addressRefused = $0 { true } else { false }
        }
        try AddressPolicy.publicOnly.checkProxy(for: address)
        try AddressPolicy(allowing: [], allowsProxies: true).checkProxy(for: name)
    }
}

@Suite("SystemResolver", .timeLimit(.minutes(5)))
struct SystemResolverTests {
    @Test("A name resolves to its addresses, and an address to itself")
    func addresses() {
        #expect(SystemResolver.addresses(of: "localhost")?.contains { $0 == "127.0.0.1" || $0 == "::1" } == true)
        #expect(SystemResolver.addresses(of: "127.0.0.1") == ["127.0.0.1"])
        #expect(SystemResolver.addresses(of: "::1") == ["::1"])
    }
}
