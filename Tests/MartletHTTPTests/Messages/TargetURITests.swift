import Foundation
import Testing

@testable import MartletHTTP

@Suite("TargetURI", .timeLimit(.minutes(5)))
struct TargetURITests {
    private struct Row {
        let section: String
        let url: String
        let uri: String

        init(_ section: String, _ url: String, _ uri: String) { (self.section, self.url, self.uri) = (section, url, uri) }
    }

    private static let rows = [
        Row("RFC 9110 §4.2.3: as it is", "http://a.example/x?y=z", "http://a.example/x?y=z"),
        Row("RFC 9110 §4.2.3: case of scheme and host", "HTTP://A.Example/X?Y", "http://a.example/X?Y"),
        Row("RFC 9110 §4.2.3: the default port of http", "http://a.example:80/x", "http://a.example/x"),
        Row("RFC 9110 §4.2.3: the default port of https", "HTTPS://a.example:443/x", "https://a.example/x"),
        Row("RFC 9110 §4.2.3: that of the other", "http://a.example:443/x", "http://a.example:443/x"),
        Row("RFC 9110 §4.2.3: that of the other", "https://a.example:80/x", "https://a.example:80/x"),
        Row("RFC 9110 §4.2.3: another port", "http://a.example:8080/x", "http://a.example:8080/x"),
        Row("RFC 9110 §4.2.3: a port that ends like it", "http://a.example:1443/x", "http://a.example:1443/x"),
        Row("RFC 9110 §4.2.3: a port that ends like it", "http://a.example:8180", "http://a.example:8180/"),
        Row("RFC 9110 §4.2.3: an empty port", "http://a.example:/x", "http://a.example/x"),
        Row("RFC 9110 §4.2.3: an empty path", "http://a.example", "http://a.example/"),
        Row("RFC 9110 §4.2.3: an empty path with a query", "http://a.example?x", "http://a.example/?x"),
        Row("RFC 9110 §4.2.3: an empty path, slashes in the query", "http://a.example?x=/a@b:80", "http://a.example/?x=/a@b:80"),
        Row("RFC 9110 §4.2.3: an empty query is there", "http://a.example/?", "http://a.example/?"),
        Row("RFC 9110 §7.1: no fragment", "http://a.example/x#y", "http://a.example/x"),
        Row("RFC 9110 §7.1: no fragment behind a query", "http://a.example/x?y#z?/@:", "http://a.example/x?y"),
        Row("RFC 9110 §7.1: a fragment alone", "http://a.example#y", "http://a.example/"),
        Row("RFC 9110 §4.2.4: no user", "http://u:p@a.example/x", "http://a.example/x"),
        Row("RFC 9110 §4.2.4: no user, no path", "http://u@A.example:80", "http://a.example/"),
        Row("RFC 9110 §4.2.4: a user with a colon", "http://u:80@a.example:80/x", "http://a.example/x"),
        Row("RFC 9110 §4.2.4: an at sign in the path", "http://a.example/@B:80", "http://a.example/@B:80"),
        Row("RFC 3986 §3.2.2: IPv6", "http://[::1]/x", "http://[::1]/x"),
        Row("RFC 3986 §3.2.2: IPv6, with its port", "http://[2001:DB8::80]:80/x", "http://[2001:db8::80]/x"),
        Row("RFC 3986 §3.2.2: IPv6 that ends like a port", "http://[::80]", "http://[::80]/"),
        Row("RFC 3986 §3.2.2: IPv6, with another port", "https://u@[::1]:8443?x", "https://[::1]:8443/?x"),
        Row("RFC 3986 §2.1: escapes stay", "http://a.example/%7Ex%2fy", "http://a.example/%7Ex%2fy"),
        Row("RFC 3986 §3.1: other schemes have other ports", "ftp://A.example:80/x", "ftp://a.example:80/x"),
    ]

    @Test("Equivalent URLs have the same key, and others have different keys", arguments: rows.indices)
    func uri(_ index: Int) throws {
        let row = Self.rows[index]
        #expect(TargetURI.uri(of: try #require(URL(string: row.url))) == row.uri, "\(row.section)")
    }

    @Test("The key of a key is the key itself")
    func idempotent() throws {
        for row in Self.rows { #expect(TargetURI.uri(of: try #require(URL(string: row.uri))) == row.uri, "\(row.section)") }
    }

    private static let odd = [
        Row("RFC 6068 §2", "mailto:A@b", "mailto:A@b"), Row("RFC 2397", "data:,x", "data:,x"), Row("RFC 3986 §4.2", "/x", "/x"),
        Row("RFC 3986 §4.2", "//A.example:80", "//A.example:80"), Row("RFC 3986 §3", "http:x", "http:x"),
        Row("RFC 3986 §3.2", "http:///x", "http:///x"), Row("RFC 3986 §3.2", "http://:80/x", "http:///x"),
    ]

    @Test("A text that is not a server's URL is its own key", arguments: odd.indices)
    func oddOnes(_ index: Int) throws {
        let row = Self.odd[index]
        guard let url = URL(string: row.url) else { return }
        #expect(TargetURI.uri(of: url) == row.uri, "\(row.section)")
    }
}
