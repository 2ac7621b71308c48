import Testing

@testable import MartletHTTP

@Suite("AddressRange", .timeLimit(.minutes(5)))
struct AddressRangeTests {
    private func kind(_ text: String) throws -> String? { AddressRange.special(try #require(IPAddress(text), "\(text)")) }

    @Test("The first and last address of each special IPv4 range is special, and their neighbours are not (RFC 6890)")
    func four() throws {
        let ranges = [
            ("0.0.0.0", "0.255.255.255", "unspecified"), ("10.0.0.0", "10.255.255.255", "private"),
            ("100.64.0.0", "100.127.255.255", "carrier-grade NAT"), ("127.0.0.0", "127.255.255.255", "loopback"),
            ("169.254.0.0", "169.254.255.255", "link-local"), ("172.16.0.0", "172.31.255.255", "private"),
            ("192.0.2.0", "192.0.2.255", "documentation"), ("192.168.0.0", "192.168.255.255", "private"),
            ("198.18.0.0", "198.19.255.255", "benchmarking"), ("198.51.100.0", "198.51.100.255", "documentation"),
            ("203.0.113.0", "203.0.113.255", "documentation"), ("224.0.0.0", "239.255.255.255", "multicast"),
            ("240.0.0.0", "255.255.255.254", "reserved"), ("192.0.0.0", "192.0.0.255", "reserved for protocols"),
        ]
        for (first, last, name) in ranges {
            #expect(try kind(first) == name)
            #expect(try kind(last) == name)
        }
        #expect(try kind("255.255.255.255") == "broadcast")
        #expect(try kind("168.63.129.16") == "a cloud's metadata service" && kind("168.63.129.17") == nil)
        for address in [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
            "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
            "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "8.8.8.8",
        ] {
            #expect(try kind(address) == nil, "\(address)")
        }
    }

    @Test("Special and unassigned IPv6 addresses are refused (RFC 4291, RFC 6890)")
    func six() throws {
        for (address, name) in [
            ("::", "unspecified"), ("::1", "loopback"), ("fe80::1", "link-local"), ("febf::1", "link-local"), ("fec0::1", "site-local"),
            ("fc00::1", "unique local"), ("fdff::1", "unique local"), ("ff02::1", "multicast"), ("2001:db8::1", "documentation"),
            ("3fff:fff::1", "documentation"), ("2001:2::1", "benchmarking"), ("100::1", "discarded"), ("64:ff9b:1::1", "local NAT64"),
            ("2001:20::1", "ORCHID"), ("2001:100::1", "reserved for protocols"), ("4000::1", "not of the public network"),
            ("::7f00:1", "not of the public network"), ("::ffff:0:7f00:1", "not of the public network"),
        ] {
            #expect(try kind(address) == name, "\(address)")
        }
        for address in ["2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2003::1", "3ffe::1"] {
            #expect(try kind(address) == nil, "\(address)")
        }
    }

    @Test("An IPv4 address within an IPv6 address is checked: mapped, NAT64, 6to4, Teredo, ISATAP")
    func embedded() throws {
        for (address, name) in [
            ("::ffff:127.0.0.1", "IPv4-mapped of loopback"), ("::ffff:10.0.0.1", "IPv4-mapped of private"),
            ("64:ff9b::169.254.169.254", "NAT64 of link-local"), ("2002:7f00:1::", "6to4 of loopback"),
            ("2002:a00:1::1", "6to4 of private"),
            ("2001:0:a00:1::", "Teredo of private"), ("2001:0:808:808:0:0:80ff:fffe", "Teredo of loopback"),
            ("2606:4700::5efe:10.0.0.1", "ISATAP of private"), ("2606:4700::200:5efe:127.0.0.1", "ISATAP of loopback"),
        ] {
            #expect(try kind(address) == name, "\(address)")
        }
        for address in ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:0:808:808::f7f7:f7f7", "2606:4700::5efe:8.8.8.8"] {
            #expect(try kind(address) == nil, "\(address)")
        }
    }

    @Test("A network has an address and a valid prefix length")
    func networks() throws {
        #expect(Network("10.0.0.0/8")?.contains(try #require(IPAddress("10.9.8.7"))) == true)
        #expect(Network("10.0.0.0/8")?.contains(try #require(IPAddress("11.0.0.0"))) == false)
        #expect(Network("::1")?.contains(try #require(IPAddress("::1"))) == true)
        for text in ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "host/8", "fe80::1%eth0", "", "1.2.3.4/8/8"] {
            #expect(Network(text) == nil, "\(text)")
        }
    }
}
