import Foundation
import Testing

@testable import MartletHTTP

@Suite("TLSSettings", .timeLimit(.minutes(5)))
struct TLSSettingsTests {
    private let one = Data(repeating: 1, count: 32), two = Data(repeating: 2, count: 32), three = Data(repeating: 3, count: 32)

    private func keys(_ digests: Data..., hosts: [String] = []) throws -> PinnedKeys {
        try PinnedKeys(sha256: digests.map { $0.base64EncodedString() }, hosts: hosts)
    }

    @Test("By default, the system's authorities are trusted, no key is pinned, and TLS 1.2 is the minimum")
    func defaults() {
        let settings = TLSSettings()
        #expect(settings.trust == .system)
        #expect(settings.pinnedKeys.isEmpty)
        #expect(settings.clientIdentities.isEmpty)
        #expect(settings.minimumVersion == .tls12)
        #expect(settings.pins(for: "api.example.com").isEmpty)
    }

    @Test("Versions of TLS are ordered by age")
    func versions() {
        #expect(TLSSettings.Version.tls12 < .tls13)
        #expect(TLSSettings.Version.allCases.max() == .tls13)
    }

    @Test("A host may have the keys of all matching pins, without duplicates and in order")
    func union() throws {
        let settings = TLSSettings(pinnedKeys: [
            try keys(one, two, hosts: ["api.example.com"]), try keys(two, three, hosts: ["*.example.com"]),
            try keys(one, hosts: ["elsewhere.example"]),
        ])
        #expect(settings.pins(for: "api.example.com") == [one, two, three])
        #expect(settings.pins(for: "www.example.com") == [two, three])
        #expect(settings.pins(for: "example.com").isEmpty)
    }

    @Test("Keys without hosts apply to every host")
    func everywhere() throws {
        let settings = TLSSettings(pinnedKeys: [try keys(one)])
        #expect(settings.pins(for: "any.example") == [one])
        #expect(settings.pins(for: "::1") == [one])
    }

    private func identity(_ password: String, hosts: [String] = ["*"]) throws -> ClientIdentity {
        try ClientIdentity(.pkcs12(Data("x".utf8), password: password), hosts: hosts)
    }

    @Test("A host is offered the first identity that names it; other hosts are offered none")
    func identities() throws {
        let settings = TLSSettings(clientIdentities: [
            try identity("a", hosts: ["api.example.com"]), try identity("b", hosts: ["*.example.com"]),
        ])
        let offered = ["api.example.com", "API.example.com.", "www.example.com", "example.com", "evil.example"]
        #expect(offered.map { settings.clientIdentityIndex(for: $0) } == [0, 0, 1, nil, nil])
    }

    @Test("Trust in addition to the system's authorities differs from trust in place of them")
    func trust() {
        let besides: [TLSSettings.Trust] = [.system, .systemAndFile("a"), .systemAndCertificates(Data())]
        let instead: [TLSSettings.Trust] = [.file("a"), .certificates(Data())]
        #expect(besides.allSatisfy(\.includesSystem) && !instead.contains(where: \.includesSystem))
    }

    @Test("Equality compares all settings, including keys and certificate")
    func equality() throws {
        let settings = TLSSettings(pinnedKeys: [try keys(one)], clientIdentities: [try identity("a")])
        #expect(settings == settings)
        #expect(settings != TLSSettings(pinnedKeys: settings.pinnedKeys))
        #expect(settings != TLSSettings(pinnedKeys: settings.pinnedKeys, clientIdentities: [try identity("b")]))
    }

    @Test("Descriptions of a client certificate never show key or password")
    func secrets() throws {
        let certificates: [ClientCertificate] = [
            .pem(certificates: Data("PUBLIC".utf8), key: Data("PRIVATE".utf8), password: "hunter2"),
            .pkcs12(Data("PRIVATE".utf8), password: "hunter2"),
        ]
        for certificate in certificates {
            var dumped = ""
            let settings = TLSSettings(clientIdentities: [try ClientIdentity(certificate, hosts: ["*"])])
            dump(settings, to: &dumped)
            let texts = ["\(certificate)", String(reflecting: certificate), "\(settings)", dumped]
            for text in texts { #expect(!text.contains("hunter2") && !text.contains("PRIVATE"), "\(text)") }
        }
        #expect("\(certificates[0])" == "PEM certificate (6 bytes) with a key")
        #expect("\(certificates[1])" == "PKCS #12 archive (7 bytes)")
    }
}
