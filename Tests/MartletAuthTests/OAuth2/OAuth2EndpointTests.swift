import Foundation
import Testing

@testable import MartletAuth

@Suite("OAuth2Endpoint", .timeLimit(.minutes(5)))
struct OAuth2EndpointTests {
    private func isAccepted(_ text: String) throws -> Bool {
        let url = try #require(URL(string: text))
        return OAuth2Endpoint.refusal(of: url) == nil
    }

    @Test("https is accepted for any host", arguments: ["https://id.example/token", "HTTPS://id.example", "https://10.0.0.1/token"])
    func https(text: String) throws { #expect(try isAccepted(text)) }

    @Test(
        "http is accepted for loopback hosts in any spelling",
        arguments: [
            "http://127.0.0.1/token", "http://127.9.8.7:8080/token", "http://127.1/", "http://2130706433/", "http://[::1]:80/token",
            "http://[::ffff:127.0.0.1]/", "http://localhost/token", "http://LocalHost.:9/token",
        ])
    func loopback(text: String) throws { #expect(try isAccepted(text)) }

    @Test(
        "Other schemes, other hosts over http and relative URLs are refused",
        arguments: [
            "http://id.example/token", "http://localhost.example/", "http://127.0.0.1.example/", "http://10.0.0.1/", "http://0.0.0.0/",
            "http://[::2]/", "http://0177.0.0.1/", "http://127.0.0.1@id.example/", "ftp://127.0.0.1/", "ws://localhost/", "/token",
            "token", "https:///token", "file:///token", "http://xlocalhost/", "http://128.0.0.1/",
        ])
    func refused(text: String) throws { #expect(try !isAccepted(text)) }

    @Test("A relative URL is checked with its base")
    func relative() throws {
        let base = try #require(URL(string: "http://id.example/")), secure = try #require(URL(string: "https://id.example/"))
        #expect(OAuth2Endpoint.refusal(of: URL(string: "token", relativeTo: base)!) != nil)
        #expect(OAuth2Endpoint.refusal(of: URL(string: "token", relativeTo: secure)!) == nil)
    }

    @Test("The error shows neither a secret in the query nor a password")
    func redacted() throws {
        let url = try #require(URL(string: "http://u:s3cret@id.example/token?client_secret=s3cret"))
        let why = try #require(OAuth2Endpoint.refusal(of: url))
        #expect(!why.contains("s3cret"))
    }
}
