import Foundation
import MartletHTTP
import Testing

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
        let settings = TLSSettings(pinnedKeys: [try PinnedKeys(sha256: [pin], hosts: [pinned])])
        #expect(settings.pins(for: host).count == 1)
    }

    @Test(
        "A leading asterisk matches every name below, but not the name itself",
        arguments: [
            ("a.example.com", true), ("A.B.Example.Com.", true), ("example.com", false), (".example.com", false),
            ("aexample.com", false), ("example.com.evil.example", false),
        ])
    func wildcards(host: String, isPinned: Bool) throws {
        let settings = TLSSettings(pinnedKeys: [try PinnedKeys(sha256: [pin], hosts: ["*.Example.com"])])
        #expect(!settings.pins(for: host).isEmpty == isPinned)
    }
}
