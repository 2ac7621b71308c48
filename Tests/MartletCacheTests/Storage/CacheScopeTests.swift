import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CacheScope: users never share responses", .timeLimit(.minutes(5)))
struct CacheScopeTests {
    private static func scope(_ headers: HTTPFields, _ url: String = "http://a.example/x") async -> String {
        await CacheScope.credentials.names(for: CacheSample.request(headers, .get, url), CacheSettings()).own
    }

    private static func marked(_ name: HTTPFieldName, _ value: String) -> HTTPFields {
        var fields: HTTPFields = [name: value]
        fields.markAsCredential(name)
        return fields
    }

    @Test("Different credentials have different scopes, however their bytes are distributed")
    func collisions() async {
        var latin = HTTPFields(), utf8 = HTTPFields()
        latin.append(nameBytes: "Cookie".utf8, valueBytes: [0xE9] as [UInt8])
        utf8.append(nameBytes: "Cookie".utf8, valueBytes: "é".utf8)
        let scopes = await [
            Self.scope([:]), Self.scope([.authorization: "a"]), Self.scope([.authorization: "b"]), Self.scope([.authorization: "A"]),
            Self.scope([.authorization: ""]), Self.scope([.authorization: "ab"]), Self.scope([.authorization: "a", "authorization": "b"]),
            Self.scope([.authorization: "b", "authorization": "a"]), Self.scope([.authorization: "a, b"]), Self.scope([.cookie: "a"]),
            Self.scope([.cookie: "a", .authorization: "b"]), Self.scope([.cookie: "b", .authorization: "a"]),
            Self.scope(["X-Api-Key": "a"]), Self.scope(["Api-Key": "a"]), Self.scope([.proxyAuthorization: "a"]),
            Self.scope(Self.marked("X", "Ya")), Self.scope(Self.marked("XY", "a")), Self.scope(Self.marked("X", "a")),
            Self.scope(Self.marked("url", "u:p")), Self.scope([:], "http://u:p@a.example/x"), Self.scope([:], "http://u:q@a.example/x"),
            Self.scope([:], "http://u@a.example/x"), Self.scope([:], "http://u%3Ap@a.example/x"),
            Self.scope([.authorization: "13:0 cookie1:a"]), Self.scope(latin), Self.scope(utf8),
            Self.scope([.cookie: "e\u{301}"]),
        ]
        for (index, scope) in scopes.enumerated() {
            for other in scopes[(index + 1)...] { #expect(scope != other, "\(index)") }
        }
    }

    @Test("Equal fields that may identify the user have equal scopes, whatever the harmless fields and their order")
    func same() async {
        #expect(await Self.scope([.accept: "a", "X-Request-ID": "b"]) == "")
        #expect(await Self.scope([.cookie: "a", .authorization: "b"]) == Self.scope([.authorization: "b", .accept: "x", "cookie": "a"]))
        #expect(await Self.scope([:], "http://u:p@a.example/x") == Self.scope([:], "http://u:p@a.example/x"))
        let scope = await Self.scope([.authorization: "Basic c2VjcmV0"])
        #expect(scope.utf8.count == 64 && scope.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    }

    private struct Row {
        let section: String
        let headers: HTTPFields
        var url = "http://a.example/x"
        let mayBeAnonymous: Bool
    }

    private static let anonymous = [
        Row(section: "nothing", headers: [:], mayBeAnonymous: false),
        Row(section: "a Cookie alone", headers: [.cookie: "a"], mayBeAnonymous: true),
        Row(section: "two Cookie lines", headers: [.cookie: "a", "cookie": "b"], mayBeAnonymous: true),
        Row(section: "Authorization", headers: [.authorization: "a"], mayBeAnonymous: false),
        Row(section: "both", headers: [.cookie: "a", .authorization: "a"], mayBeAnonymous: false),
        Row(section: "a key", headers: [.cookie: "a", "X-Api-Key": "a"], mayBeAnonymous: false),
        Row(section: "an unknown field", headers: [.cookie: "a", "X-Tenant": "a"], mayBeAnonymous: false),
        Row(section: "a harmless field", headers: [.cookie: "a", .accept: "a"], mayBeAnonymous: true),
        Row(section: "a user in the URL", headers: [.cookie: "a"], url: "http://u@a.example/x", mayBeAnonymous: false),
    ]

    @Test(
        "A response stored without credentials may be used for a request with only a Cookie, and for no other", arguments: anonymous.indices
    )
    func mayBeAnonymous(_ index: Int) async {
        let row = Self.anonymous[index]
        let names = await CacheScope.credentials.names(for: CacheSample.request(row.headers, .get, row.url), CacheSettings())
        #expect(names.anonymous == (row.mayBeAnonymous ? "" : nil), "\(row.section)")
    }

    @Test("A marked field beside a Cookie is a credential like any other")
    func markedBesideCookie() async {
        var fields = Self.marked("X-Mine", "a")
        fields[.cookie] = "b"
        #expect(await CacheScope.credentials.names(for: CacheSample.request(fields), CacheSettings()).anonymous == nil)
        #expect(await Self.scope(Self.marked("X-Mine", "a")) != "")
    }

    @Test("The scope for everyone is constant, and a named scope is the app's name")
    func others() async {
        let request = CacheSample.request([.authorization: "a"])
        #expect(await CacheScope.everyone.names(for: request, CacheSettings()) == CacheScope.Names(own: "everyone"))
        let named = CacheScope.named { $0.headers[.authorization] ?? "-" }
        #expect(await named.names(for: request, CacheSettings()) == CacheScope.Names(own: "name a"))
        #expect(await named.names(for: request, CacheSample.shared) == CacheScope.Names(own: "shared name a"))
    }

    @Test("Public responses have the scope of the credentials alone")
    func shared() async {
        func names(_ headers: HTTPFields, _ settings: CacheSettings = CacheSettings()) async -> CacheScope.Names {
            await CacheScope.credentials.names(for: CacheSample.request(headers), settings)
        }
        let alone = await names([.authorization: "a"]), both = await names([.authorization: "a", "X-Tenant": "1"])
        #expect(alone.shared == nil && both.shared == alone.own && both.own != alone.own)
        #expect(await names(["X-Tenant": "1"]).shared == "")
        #expect(await names(["X-Tenant": "1"], CacheSample.shared).shared == "shared ")
        #expect(await names([.accept: "a"]) == CacheScope.Names(own: ""))
    }

    @Test("For random credentials, equal scopes mean equal bytes in equal lines")
    func random() async {
        var generator = SeededGenerator(seed: 9)
        var known: [String: [String]] = [:]
        let names = ["Authorization", "Cookie", "X-Api-Key", "a", "aa", "0 a"]
        for _ in 0..<400 {
            var fields = HTTPFields()
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let name = HTTPFieldName(names[Int.random(in: 0..<names.count, using: &generator)])
                let length = Int.random(in: 0...3, using: &generator)
                fields.append(name, String((0..<length).map { _ in Array("a0:1 ")[Int.random(in: 0..<5, using: &generator)] }))
                fields.markAsCredential(name)
            }
            let lines = Dictionary(grouping: fields) { $0.name.canonicalName }.sorted { $0.key < $1.key }
                .flatMap { name, lines in lines.map { "\(name)=\($0.value)" } }
            let scope = await Self.scope(fields)
            #expect(known[scope, default: lines] == lines)
            known[scope] = lines
            await Task.yield()
        }
        #expect(known.count > 200)
    }
}
