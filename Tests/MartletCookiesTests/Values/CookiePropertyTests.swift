import Foundation
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("Properties of cookies", .timeLimit(.minutes(5)))
struct CookiePropertyTests {
    private let hosts = [
        "example.com", "www.example.com", "a.www.example.com", "evil.com", "example.com.evil.com", "notexample.com", "example.co.uk",
        "evil.co.uk",
        "co.uk", "com", "127.0.0.1", "1.127.0.0.1.example.com", "[::1]", "localhost", "wren.github.io", "evil.github.io", "EXAMPLE.com",
        "example.com.", "xn--bcher-kva.example",
    ]
    private let paths = ["/", "/a", "/a/", "/a/b", "/ab", "/a%2Fb", "/b"]
    private let names = ["a", "b", "__Host-a", "__Secure-b", ""]

    /// Returns a line whose value names the step.
    private func line(_ step: Int, _ random: inout SeededGenerator) -> String {
        var line = "\(names.randomElement(using: &random)!)=v-\(step)"
        for attribute in ["Domain", "Path", "Secure", "SameSite", "Max-Age"] where Bool.random(using: &random) {
            switch attribute {
            case "Domain": line += "; Domain=\(["", "."].randomElement(using: &random)!)\(hosts.randomElement(using: &random)!)"
            case "Path": line += "; Path=\(paths.randomElement(using: &random)!)"
            case "SameSite": line += "; SameSite=\(["None", "Lax", "Strict"].randomElement(using: &random)!)"
            case "Max-Age": line += "; Max-Age=\(Int.random(in: -1..<20, using: &random))"
            default: line += "; Secure"
            }
        }
        return line
    }

    /// The party that a host belongs to, found without the code under test.
    private func party(_ host: String) -> String {
        let host = host.lowercased()
        if host.hasSuffix("github.io") || host.hasSuffix("co.uk") { return host }
        if ["127.0.0.1", "[::1]", "localhost", "com"].contains(host) || host.hasSuffix(".") { return host }
        return host.split(separator: ".").suffix(2).joined(separator: ".")
    }

    @Test(
        "A cookie is never sent to another party or host, without security, or outside its path",
        arguments: 0..<20)
    func isolation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var jar = CookieJar(limits: .init(cookies: 60, cookiesPerDomain: 20))
        var origins: [String: (host: String, line: String)] = [:]
        var now = Date(timeIntervalSince1970: 1_767_225_600), sentCount = 0
        for step in 0..<400 {
            now += Double.random(in: 0..<3, using: &random)
            let scheme = ["http", "https"].randomElement(using: &random)!, host = hosts.randomElement(using: &random)!
            let path = paths.randomElement(using: &random)!
            let request = HTTPRequest(method: .get, url: URL(string: "\(scheme)://\(host)\(path)")!)
            for cookie in jar.take(for: request, at: now) {
                sentCount += 1
                let tag = cookie.value.split(separator: "-").last.map(String.init) ?? "", set = origins[tag]
                #expect(party(set?.host ?? "?") == party(host), "\(set?.line ?? "?") from \(set?.host ?? "?") went to \(host)")
                #expect(set?.line.contains("Domain") == true || set?.host.lowercased() == host.lowercased())
                #expect(!cookie.isSecure || scheme == "https" || ["127.0.0.1", "[::1]", "localhost"].contains(host))
                #expect(path.hasPrefix(cookie.path) && !cookie.isExpired(at: now))
            }
            let tagged = line(step, &random)
            origins["\(step)"] = (host, tagged)
            jar.receive([.setCookie: tagged], for: request, at: now)
            #expect(jar.count <= 60)
        }
        #expect(sentCount > 50)
    }

    @Test("Random bytes never crash the parser, and what it accepts has no control characters", arguments: 0..<20)
    func randomBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let attributes = "Domain=com;Path=/;Expires=1 Jan 30 0:0:0;Max-Age=-9"
        let alphabet = Array("a=;; \t,\"_-/.%\u{0}\r\n\u{7F}é".utf8) + [0xFF, 0x80] + Array(attributes.utf8)
        let request = HTTPRequest(method: .get, url: URL(string: "https://h.example/")!)
        var jar = CookieJar()
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
            var fields = HTTPFields()
            fields.append(nameBytes: Array("Set-Cookie".utf8), valueBytes: bytes)
            jar.receive(fields, for: request, at: Date(timeIntervalSince1970: 1_767_225_600))
        }
        let cookies = jar.take(for: request, at: Date(timeIntervalSince1970: 1_767_225_600))
        #expect(!cookies.contains { ($0.name + $0.value).utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x3B || $0 == 0x7F } })
    }
}
