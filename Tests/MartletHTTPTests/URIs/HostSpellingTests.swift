import Testing

@testable import MartletHTTP

@Suite("HostSpelling", .timeLimit(.minutes(5)))
struct HostSpellingTests {
    private func address(_ host: String) -> String? {
        if case .address(let address) = HostSpelling(host) { return "\(address)" }
        return nil
    }

    private func isUnclear(_ host: String) -> Bool { if case .unclear = HostSpelling(host) { true } else { false } }

    @Test(
        "IPv4 addresses are recognised in every spelling",
        arguments: [
            "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "0x7f.1", "0x7F000001",
            "0x7f.0.0x0.01",
            "%31%32%37.0.0.1", "127%2e1",
        ])
    func loopback(host: String) { #expect(address(host) == "127.0.0.1") }

    @Test("The last number of an IPv4 address fills the remaining bytes")
    func filling() {
        #expect(address("10.258") == "10.0.1.2")
        #expect(address("00.0.0.1") == "0.0.0.1" && HostSpelling("010.example") == .name("010.example"))
        #expect(address("192.168.257") == "192.168.1.1")
        #expect(address("0") == "0.0.0.0" && address("0x") == "0.0.0.0")
        #expect(address("4294967295") == "255.255.255.255")
    }

    @Test(
        "A host that ends in a number and is not an address is refused",
        arguments: [
            "256.0.0.1", "1.2.3.4.5", "4294967296", "127.0.0.0x1ff", "08.0.0.1", "0177.0.0.1", "017700000001", "010.0.0.1", "a.1", "a.0x1",
            "1.2.3.99999999999999999999999", "0x1g.1",
            "127..1", "127.0.0.1..",
        ])
    func noAddresses(host: String) { #expect(isUnclear(host)) }

    @Test("IPv6 addresses are read with and without brackets; one with a zone is refused")
    func six() {
        #expect(address("[::1]") == "0:0:0:0:0:0:0:1" && address("::1") == address("[::1]"))
        #expect(address("[::ffff:127.0.0.1]") == "0:0:0:0:0:ffff:7f00:1")
        for host in ["[fe80::1%25eth0]", "fe80::1%eth0", "[::1", "::1]", "[v1.x]", "[127.0.0.1]x", ":::", "[]"] {
            #expect(isUnclear(host), "\(host)")
        }
    }

    @Test(
        "Characters outside ASCII and characters that no name may have are refused",
        arguments: [
            "１２７.0.0.1", "127。0。0。1", "ⓛocalhost", "%EF%BC%91.1", "bücher.example", "", ".", "a..b", ".a", "a b", "a@b", "a\\b", "a/b",
            "a\u{0}b", "a%00b",
        ])
    func strange(host: String) { #expect(isUnclear(host)) }

    @Test("Names are compared in lower case and without a trailing dot")
    func names() {
        #expect(HostSpelling("API.Example.") == .name("api.example"))
        #expect(HostSpelling("xn--bcher-kva.example") == .name("xn--bcher-kva.example"))
        #expect(HostSpelling("1.a") == .name("1.a") && HostSpelling("0xyz") == .name("0xyz") && HostSpelling("a_b-c") == .name("a_b-c"))
    }
}
