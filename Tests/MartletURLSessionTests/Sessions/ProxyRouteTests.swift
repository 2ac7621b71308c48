import Foundation
import MartletHTTP
import Testing

@testable import MartletURLSession

@Suite("ProxyRoute", .timeLimit(.minutes(5)))
struct ProxyRouteTests {
    private func dictionary(_ url: String) throws -> [String: String] {
        try ProxyRoute.dictionary(for: try Proxy(url: try #require(URL(string: url)))).mapValues { "\($0)" }
    }

    @Test("No proxy is an empty dictionary, which disables the system's proxies")
    func none() throws { #expect(try ProxyRoute.dictionary(for: nil).isEmpty) }

    @Test("An HTTP proxy is used for both schemes")
    func http() throws {
        #expect(
            try dictionary("http://p:3128") == [
                "HTTPEnable": "1", "HTTPProxy": "p", "HTTPPort": "3128", "HTTPSEnable": "1", "HTTPSProxy": "p", "HTTPSPort": "3128",
            ])
    }

    @Test("A SOCKS proxy has its own keys and cannot have credentials")
    func socks() throws {
        #expect(try dictionary("socks5h://p") == ["SOCKSEnable": "1", "SOCKSProxy": "p", "SOCKSPort": "1080"])
        #expect(throws: HTTPError.engineUnavailable("URLSession sends no name and password to a SOCKS proxy")) {
            try dictionary("socks5://u:w@p")
        }
    }

    @Test("A proxy that is reached over TLS is an error")
    func tls() throws {
        #expect(throws: HTTPError.engineUnavailable("URLSession does not reach a proxy over TLS: https://p:443")) {
            try dictionary("https://p")
        }
    }
}
