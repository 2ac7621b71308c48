import Foundation
import Testing

@testable import MartletHTTP

extension TLSSettings {
    fileprivate init(_ pinnedKeys: [PinnedKeys], _ clientIdentities: [ClientIdentity] = []) {
        self.init()
        self.pinnedKeys = pinnedKeys
        self.clientIdentities = clientIdentities
    }
}

@Suite("TLSSettings", .timeLimit(.minutes(5)))
struct TLSSettingsTests {
    private let one = Data(repeating: 1, count: 32), two = Data(repeating: 2, count: 32), three = Data(repeating: 3, count: 32)

    private func keys(_ digest: Data) throws -> PinnedKeys { try PinnedKeys(sha256: [digest.base64EncodedString()]) }

    @Test("By default, the system's authorities are trusted, no key is pinned, and TLS 1.2 is the minimum")
    func defaults() {
        let settings = TLSSettings()
        #expect(settings.trust == .system)
        #expect(settings.minimumVersion == .tls12)
        #expect(settings.pins(for: "api.example.com").isEmpty && settings.clientCertificate(for: "api.example.com") == nil)
    }

    @Test("Versions of TLS are ordered by age")
    func versions() {
        #expect(TLSSettings.Version.tls12 < .tls13)
        #expect(TLSSettings.Version.allCases.max() == .tls13)
    }

    @Test("A host may have the keys of all matching pins, without duplicates and in order")
    func union() throws {
        var settings = TLSSettings()
        for (pins, hosts) in [([one, two], "api.example.com"), ([two, three], "*.example.com"), ([one], "elsewhere.example")] {
            try settings.pinKeys(sha256: pins.map { $0.base64EncodedString() }, hosts: [hosts])
        }
        #expect(settings.pins(for: "api.example.com") == [one, two, three])
        #expect(settings.pins(for: "www.example.com") == [two, three])
        #expect(settings.pins(for: "example.com").isEmpty)
    }

    @Test("Keys without hosts apply to every host")
    func everywhere() throws {
        let settings = TLSSettings([try keys(one)])
        #expect(settings.pins(for: "any.example") == [one])
        #expect(settings.pins(for: "::1") == [one])
    }

    private func certificate(_ password: String) -> ClientCertificate { .pkcs12(Data("x".utf8), password: password) }

    private func identity(_ password: String) throws -> ClientIdentity { try ClientIdentity(certificate(password), hosts: ["*"]) }

    @Test("A host is offered the first certificate whose hosts include it; other hosts are offered none")
    func identities() throws {
        var settings = TLSSettings()
        try settings.offer(certificate("a"), to: ["api.example.com"])
        try settings.offer(certificate("b"), to: ["*.example.com"])
        let offered = ["api.example.com", "API.example.com.", "www.example.com", "example.com", "evil.example"]
        #expect(offered.map { settings.clientIdentityIndex(for: $0) } == [0, 0, 1, nil, nil])
        #expect(settings.clientCertificate(for: "www.example.com") == certificate("b"))
    }

    @Test("Pins and client certificates can be removed and replaced")
    func removal() throws {
        var settings = TLSSettings([try keys(one), try keys(two)], [try identity("a"), try identity("b")])
        settings.unpinKeys()
        #expect(settings.pins(for: "any.example").isEmpty && settings.clientCertificate(for: "any.example") == certificate("a"))
        try settings.pinKeys(sha256: [three.base64EncodedString()])
        settings.withdrawCertificates()
        #expect(settings.pins(for: "any.example") == [three] && settings.clientCertificate(for: "any.example") == nil)
        try settings.offer(certificate("c"), to: ["*"])
        #expect(settings.clientCertificate(for: "any.example") == certificate("c"))
    }

    @Test("Trust in addition to the system's authorities differs from trust in place of them")
    func trust() {
        let besides: [TLSSettings.Trust] = [.system, .systemAndFile("a"), .systemAndCertificates(Data())]
        let instead: [TLSSettings.Trust] = [.file("a"), .certificates(Data())]
        #expect(besides.allSatisfy(\.includesSystem) && !instead.contains(where: \.includesSystem))
    }

    @Test("Equality compares all settings, including keys and certificate")
    func equality() throws {
        let settings = TLSSettings([try keys(one)], [try identity("a")])
        #expect(settings == settings)
        #expect(settings != TLSSettings(settings.pinnedKeys))
        #expect(settings != TLSSettings(settings.pinnedKeys, [try identity("b")]))
    }

    @Test("Descriptions of a client certificate never show key or password")
    func secrets() throws {
        let certificates: [ClientCertificate] = [
            .pem(certificates: Data("PUBLIC".utf8), key: Data("PRIVATE".utf8), password: "hunter2"),
            .pkcs12(Data("PRIVATE".utf8), password: "hunter2"),
        ]
        for certificate in certificates {
            var dumped = ""
            let settings = TLSSettings([], [try ClientIdentity(certificate, hosts: ["*"])])
            dump(settings, to: &dumped)
            let texts = ["\(certificate)", String(reflecting: certificate), "\(settings)", dumped]
            for text in texts { #expect(!text.contains("hunter2") && !text.contains("PRIVATE"), "\(text)") }
        }
        #expect("\(certificates[0])" == "PEM certificate (6 bytes) with a key")
        #expect("\(certificates[1])" == "PKCS #12 archive (7 bytes)")
    }
}

@Suite("ClientIdentity", .timeLimit(.minutes(5)))
struct ClientIdentityTests {
    private func identity(_ hosts: String...) throws(HTTPError) -> ClientIdentity {
        try ClientIdentity(.pkcs12(Data("x".utf8), password: "p"), hosts: hosts)
    }

    @Test("An identity without hosts is refused, because it would be ambiguous")
    func none() {
        let error = #expect(throws: HTTPError.self) { try identity() }
        guard case .invalidRequest = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test(
        "An invalid host name is refused",
        arguments: ["", ".", "*.", "**", "https://api.example", "a.*.example", "*api.example", "api.example/x", ".example.com", "a b"])
    func names(host: String) {
        #expect(throws: HTTPError.self) { try identity("api.example", host) }
    }

    @Test("Only matching hosts are included; a leading asterisk matches every name below, and * matches every host")
    func matching() throws {
        let named = try identity("API.example.com", "*.internal.example")
        for host in ["api.example.com", "Api.Example.com.", "db.internal.example"] { #expect(named.includes(host), "\(host)") }
        for host in ["example.com", "internal.example", "evil.example", "api.example.com.evil.example", "xapi.example.com"] {
            #expect(!named.includes(host), "\(host)")
        }
        #expect(try identity("*").includes("any.example") && identity("*").includes("::1"))
    }
}

@Suite("PinnedKeys", .timeLimit(.minutes(5)))
struct PinnedKeysTests {
    private let pin = Data(0..<32).base64EncodedString()

    @Test("A pin is the base64 of 32 bytes, with or without curl's prefix", arguments: ["", "sha256/", "sha256//"])
    func reading(prefix: String) throws {
        #expect(try PinnedKeys(sha256: [prefix + pin]).digests == [Data(0..<32)])
    }

    @Test(
        "A pin that is not the base64 of 32 bytes throws a typed error",
        arguments: ["", "?", "AAAA", "sha256//", Data(0..<31).base64EncodedString(), Data(0..<33).base64EncodedString()])
    func malformed(text: String) {
        let expected = HTTPError.invalidRequest(
            Explanation("the pinned key “\(text)” is not the base64 of a SHA-256, which has 32 bytes"))
        #expect(throws: expected) { try PinnedKeys(sha256: [pin, text]) }
    }

    @Test("An empty list of pins throws a typed error, because it would allow every key")
    func none() {
        #expect(throws: HTTPError.invalidRequest("the list of pinned keys is empty")) { try PinnedKeys(sha256: []) }
    }

    @Test(
        "An invalid host name throws a typed error, because it would pin nothing",
        arguments: [
            "", ".", "*", "*.", "https://api.example", "a.*.example", "*api.example", "api.example/x", ".example.com", "a b",
            "api.example:8443", "*.example:443", "[::1]:443", "*.::1", "1.2.3.4:80",
        ])
    func hosts(host: String) {
        #expect(throws: HTTPError.invalidRequest(Explanation("the pinned host “\(host)” is not a valid host name"))) {
            try PinnedKeys(sha256: [pin], hosts: ["api.example", host])
        }
    }

    @Test(
        "Hosts are compared without case and a trailing dot",
        arguments: [("API.example.com", "api.EXAMPLE.com."), ("api.example.com.", "api.example.com"), ("[::1]", "::1"), ("::1", "[::1]")])
    func matching(pinned: String, host: String) throws {
        let settings = TLSSettings([try PinnedKeys(sha256: [pin], hosts: [pinned])])
        #expect(settings.pins(for: host).count == 1)
    }

    @Test(
        "A leading asterisk matches every name below, but not the name itself",
        arguments: [
            ("a.example.com", true), ("A.B.Example.Com.", true), ("example.com", false), (".example.com", false),
            ("aexample.com", false), ("example.com.evil.example", false),
        ])
    func wildcards(host: String, isPinned: Bool) throws {
        let settings = TLSSettings([try PinnedKeys(sha256: [pin], hosts: ["*.Example.com"])])
        #expect(!settings.pins(for: host).isEmpty == isPinned)
    }
}
