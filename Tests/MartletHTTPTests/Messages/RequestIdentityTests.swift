import Foundation
import Testing

@testable import MartletHTTP

@Suite("The identity of a request", .timeLimit(.minutes(5)))
struct RequestIdentityTests {
    private func identity(
        _ headers: HTTPFields, _ url: String = "https://a.example/x", naming names: Set<HTTPFieldName> = []
    ) throws -> RequestIdentity {
        RequestIdentity(of: HTTPRequest(url: try #require(URL(string: url)), headers: headers), naming: names)
    }

    @Test(
        "A field of an unknown name belongs to the identity, and its value is stored only as a digest", arguments: FieldKindTests.ordinary)
    func unknown(name: String) throws {
        let name = HTTPFieldName(name)
        let (ada, bob, nobody) = (try identity([name: "ada"]), try identity([name: "bob"]), try identity([:]))
        #expect(Set([ada, bob, nobody]).count == 3)
        #expect(ada.fields.utf8.count == 64 && ada.credentials == "" && !ada.isCookieOnly)
        #expect(try identity([name: "ada", .accept: "text/csv", "X-Request-ID": "1"]) == ada)
        #expect(try identity([name: "ada"], naming: [name]) == nobody)
    }

    @Test("Harmless fields do not belong to the identity")
    func harmless() throws {
        let fields: HTTPFields = [
            .accept: "a", .userAgent: "b", .range: "bytes=0-1", .ifNoneMatch: "\"c\"", .contentType: "d", .cacheControl: "no-cache",
            .idempotencyKey: "e", "traceparent": "f",
        ]
        #expect(try identity(fields) == identity([:]))
        #expect(try identity([:]).fields == "")
    }

    @Test("Credentials have a digest of their own, which other fields do not change")
    func credentials() throws {
        let both = try identity([.authorization: "a", "X-Tenant": "1"]), alone = try identity([.authorization: "a"])
        #expect(both.credentials == alone.credentials && both.fields != alone.fields)
        #expect(alone.credentials == alone.fields)
        #expect(try identity(["X-Tenant": "1"]).credentials == "")
    }

    @Test("The order of names and the case of a name do not matter, the order of one name's lines does")
    func order() throws {
        #expect(try identity(["X-A": "1", "X-B": "2"]) == identity(["x-b": "2", "x-a": "1"]))
        #expect(try identity(["X-A": "1", "X-A": "2"]) != identity(["X-A": "2", "X-A": "1"]))
        #expect(try identity(["X-A": "1", "X-B": "2"]) != identity(["X-A": "2", "X-B": "1"]))
        #expect(try identity(["X-A": "1"]) != identity(["X-A1": ""]))
        #expect(try identity(["X-A": "1,2"]) == identity(["X-A": "1 , 2"]))
        #expect(try identity(["X-A": "1,2"]) != identity(["X-A": "12"]) && identity([.cookie: "1,2"]) != identity([.cookie: "1, 2"]))
    }

    @Test("A Host that differs from the URL's authority belongs to the identity")
    func host() throws {
        #expect(try identity([.host: "TENANT:443"]).host == "tenant")
        #expect(try identity([.host: "tenant"]) != identity([.host: "other"]))
        #expect(try identity([.host: "a.example"]) == identity([:]))
    }

    @Test("Only a Cookie alone is a Cookie alone")
    func cookieOnly() throws {
        #expect(try identity([.cookie: "a", .accept: "b"]).isCookieOnly)
        #expect(try !identity([.cookie: "a", "X-Tenant": "1"]).isCookieOnly && !identity([:]).isCookieOnly)
    }

    @Test("The user in the URL is a credential")
    func user() throws {
        let (ada, bob) = (try identity([:], "https://ada:p@a.example/x"), try identity([:], "https://bob:p@a.example/x"))
        #expect(ada.credentials != bob.credentials && ada.credentials == ada.fields && ada.credentials != "")
    }
}
