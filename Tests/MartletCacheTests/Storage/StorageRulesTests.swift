import Foundation
import Testing

@testable import MartletCache

@Suite("Which responses are stored", .timeLimit(.minutes(5)))
struct StorageRulesTests {
    private struct Row {
        let section: String
        var status: HTTPStatus = 200
        var headers: HTTPFields = [:]
        var request: HTTPFields = [:]
        /// Whether a private cache stores it, and whether a shared cache does.
        let isStored: (Bool, Bool)
    }

    private static let always = (true, true), never = (false, false)
    private static let privately = (true, false), publicly = (false, true)

    private static let rows = [
        Row(section: "RFC 9110 §15.1: 200 by default", isStored: always),
        Row(section: "RFC 9110 §15.1: 404 by default", status: 404, isStored: always),
        Row(section: "RFC 9110 §15.1: 302 not", status: 302, isStored: never),
        Row(section: "RFC 9110 §15.1: 500 not", status: 500, isStored: never),
        Row(section: "RFC 9111 §3: 302 with max-age", status: 302, headers: [.cacheControl: "max-age=1"], isStored: always),
        Row(section: "RFC 9111 §3: 500 with Expires", status: 500, headers: [.expires: "0"], isStored: always),
        Row(section: "RFC 9111 §3: an unknown status with max-age", status: 599, headers: [.cacheControl: "max-age=1"], isStored: always),
        Row(section: "RFC 9111 §3: 302 with public", status: 302, headers: [.cacheControl: "public"], isStored: always),
        Row(section: "RFC 9111 §3: 302 with private", status: 302, headers: [.cacheControl: "private"], isStored: privately),
        Row(section: "RFC 9111 §3: 302 with s-maxage", status: 302, headers: [.cacheControl: "s-maxage=1"], isStored: publicly),
        Row(section: "RFC 9111 §3: 302 with another directive", status: 302, headers: [.cacheControl: "x=1"], isStored: never),
        Row(section: "RFC 9111 §3: not final", status: 103, headers: [.cacheControl: "max-age=1"], isStored: never),
        Row(section: "RFC 9111 §4.3.4: 304 updates", status: 304, headers: [.cacheControl: "max-age=1"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.5", headers: [.cacheControl: "max-age=60, no-store"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.5: in upper case", headers: [.cacheControl: "NO-STORE"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.5: with an argument", headers: [.cacheControl: "no-store=x"], isStored: never),
        Row(
            section: "RFC 9111 §5.2.2.5: on its second line", headers: [.cacheControl: "max-age=1", "cache-control": "no-store"],
            isStored: never),
        Row(section: "RFC 9111 §5.2.2.5: behind an open quote", headers: [.cacheControl: "x=\"y, no-store"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.5: in quotes it is none", headers: [.cacheControl: "x=\"no-store\""], isStored: always),
        Row(section: "RFC 9111 §5.2.1.5: the request's", request: [.cacheControl: "no-store"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.4: no-cache is stored", headers: [.cacheControl: "no-cache"], isStored: always),
        Row(section: "RFC 9111 §5.4: Pragma in a response means nothing", headers: [.pragma: "no-cache"], isStored: always),
        Row(section: "RFC 9111 §5.2.2.3", headers: [.cacheControl: "max-age=1, must-understand, no-store"], isStored: always),
        Row(
            section: "RFC 9111 §5.2.2.3: not understood", status: 599, headers: [.cacheControl: "max-age=1, must-understand"],
            isStored: never),
        Row(
            section: "RFC 9111 §5.2.2.3: not understood, with no-store", status: 418,
            headers: [.cacheControl: "max-age=1, must-understand, no-store"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.3: malformed", headers: [.cacheControl: "must-understand x, no-store"], isStored: never),
        Row(section: "RFC 9111 §5.2.2.7", headers: [.cacheControl: "max-age=1, private"], isStored: privately),
        Row(section: "RFC 9111 §5.2.2.7: for some fields", headers: [.cacheControl: "max-age=1, private=\"a\""], isStored: always),
        Row(section: "RFC 9111 §5.2.2.7: malformed", headers: [.cacheControl: "max-age=1, private=\"a"], isStored: privately),
        Row(section: "RFC 9111 §5.2.2.7: with public", headers: [.cacheControl: "public, private"], isStored: privately),
        Row(
            section: "RFC 9111 §3.5", headers: [.cacheControl: "max-age=1"], request: [.authorization: "Basic YQ=="], isStored: privately),
        Row(section: "RFC 9111 §3.5: public", headers: [.cacheControl: "public"], request: [.authorization: "x"], isStored: always),
        Row(
            section: "RFC 9111 §3.5: must-revalidate", headers: [.cacheControl: "must-revalidate"], request: [.authorization: "x"],
            isStored: always),
        Row(section: "RFC 9111 §3.5: s-maxage", headers: [.cacheControl: "s-maxage=1"], request: [.authorization: "x"], isStored: always),
        Row(
            section: "RFC 9111 §3.5: proxy-revalidate is not enough", headers: [.cacheControl: "proxy-revalidate"],
            request: [.authorization: "x"], isStored: privately),
        Row(
            section: "RFC 9111 §3.5: malformed public", headers: [.cacheControl: "public x"], request: [.authorization: "x"],
            isStored: privately),
        Row(
            section: "RFC 9111 §3.5: public with an argument", headers: [.cacheControl: "public, private"],
            request: [.authorization: "x"], isStored: privately),
        Row(section: "RFC 9111 §4.1: Vary", headers: [.vary: "Accept"], isStored: always),
        Row(section: "RFC 9111 §4.1: a star", headers: [.vary: "*"], isStored: never),
        Row(section: "RFC 9111 §4.1: a star among names", headers: [.vary: "Accept, *"], isStored: never),
        Row(section: "RFC 9111 §4.1: a star on its second line", headers: [.vary: "Accept", "vary": ",*"], isStored: never),
        Row(section: "RFC 9111 §4.1: an invalid name", headers: [.vary: "Accept Encoding"], isStored: never),
        Row(section: "RFC 9111 §3.3: a part", status: 206, headers: [.contentRange: "bytes 0-4/10"], isStored: always),
        Row(section: "RFC 9111 §3.3: a part of unknown range", status: 206, isStored: never),
        Row(section: "RFC 9111 §3.3: a part of other units", status: 206, headers: [.contentRange: "lines 0-4/10"], isStored: never),
        Row(
            section: "RFC 9110 §15.3.7.2: several parts", status: 206,
            headers: [.contentRange: "bytes 0-4/10", .contentType: "Multipart/ByteRanges; boundary=x"], isStored: never),
    ]

    @Test("A response is stored where RFC 9111 §3 allows it, in each mode", arguments: rows.indices)
    func stores(_ index: Int) {
        let row = Self.rows[index]
        let response = CacheSample.response(row.headers, row.status), request = CacheSample.request(row.request)
        #expect(StorageRules.mayStore(response, to: request, CacheSettings()) == row.isStored.0, "\(row.section), private")
        #expect(StorageRules.mayStore(response, to: request, CacheSample.shared) == row.isStored.1, "\(row.section), shared")
    }

    private struct Post {
        let section: String
        var method: HTTPMethod = .post
        var status: HTTPStatus = 200
        let headers: HTTPFields
        let isStored: Bool
    }

    private static let posts = [
        Post(section: "RFC 9110 §9.3.3", headers: [.cacheControl: "max-age=1", .contentLocation: "/x"], isStored: true),
        Post(section: "RFC 9110 §9.3.3: Expires", headers: [.expires: "0", .contentLocation: "http://A.example:80/x#y"], isStored: true),
        Post(section: "RFC 9110 §9.3.3: not explicit", headers: [.contentLocation: "/x"], isStored: false),
        Post(
            section: "RFC 9110 §9.3.3: public is not explicit freshness", headers: [.cacheControl: "public", .contentLocation: "/x"],
            isStored: false),
        Post(section: "RFC 9110 §9.3.3: another target", headers: [.cacheControl: "max-age=1", .contentLocation: "/y"], isStored: false),
        Post(section: "RFC 9110 §9.3.3: no target", headers: [.cacheControl: "max-age=1"], isStored: false),
        Post(
            section: "RFC 9110 §9.3.4: PUT", method: .put, headers: [.cacheControl: "max-age=1", .contentLocation: "/x"], isStored: false),
        Post(
            section: "RFC 9110 §9.3.3: no representation", status: 201, headers: [.cacheControl: "max-age=1", .contentLocation: "/x"],
            isStored: false),
        Post(
            section: "RFC 9111 §5.2.2.5", headers: [.cacheControl: "max-age=1, no-store", .contentLocation: "/x"], isStored: false),
    ]

    @Test(
        "The response to a POST is stored only for its own target and with explicit freshness (RFC 9110 §9.3.3)", arguments: posts.indices)
    func post(_ index: Int) {
        let row = Self.posts[index]
        let request = CacheSample.request([:], row.method)
        let isStored = StorageRules.mayStorePost(CacheSample.response(row.headers, row.status), to: request, CacheSettings())
        #expect(isStored == row.isStored, "\(row.section)")
    }

    private static func kept(_ headers: HTTPFields, _ settings: CacheSettings = CacheSettings()) -> HTTPFields {
        StorageRules.storedFields(headers, received: CacheSample.moment, settings)
    }

    private static let date = CacheSample.date(-10)

    @Test("Fields of the connection and of a proxy are not stored (RFC 9111 §3.1, RFC 9110 §7.6.1)")
    func connection() {
        let headers: HTTPFields = [
            .date: Self.date, .connection: "close, X-A,, \tX-b ", "X-A": "1", "x-B": "2", "x-b": "3", "X-C": "4", "Keep-Alive": "5",
            "Proxy-Authenticate": "Basic", "Proxy-Authentication-Info": "6", "Proxy-Authorization": "7", "Proxy-Connection": "8", "TE": "9",
            "Transfer-Encoding": "chunked", "Upgrade": "h2c", .setCookie: "a=b", "connection": "X-D", "X-D": "10",
        ]
        #expect(Self.kept(headers) == [.date: Self.date, "X-C": "4", .setCookie: "a=b"])
        #expect(StorageRules.withoutConnection([.connection: "Date", .date: Self.date]) == [:])
    }

    @Test("Fields named by no-cache are not stored, nor in a shared cache those named by private (RFC 9111 §5.2.2.4, §5.2.2.7)")
    func named() {
        let control = "max-age=1, no-cache=\"Set-Cookie, x-a\", private=\"X-B\""
        let headers: HTTPFields = [.date: Self.date, .cacheControl: control, .setCookie: "a", "X-A": "1", "X-B": "2", "X-C": "3"]
        #expect(Self.kept(headers) == [.date: Self.date, .cacheControl: control, "X-B": "2", "X-C": "3"])
        #expect(Self.kept(headers, CacheSample.shared) == [.date: Self.date, .cacheControl: control, "X-C": "3"])
        let whole: HTTPFields = [.date: Self.date, .cacheControl: "no-cache, no-cache=\"x-a\"", "X-A": "1"]
        #expect(Self.kept(whole) == whole)
    }

    @Test("A missing or invalid Date is replaced by the time of receipt (RFC 9110 §6.6.1)")
    func dates() {
        #expect(Self.kept([.date: Self.date])[.date] == Self.date)
        for text in ["", "0", "yesterday", "Tue, 99 Nov 2023 22:13:20 GMT"] {
            #expect(Self.kept([.date: text]).values(for: .date) == ["Tue, 14 Nov 2023 22:13:20 GMT"])
        }
        #expect(Self.kept([:])[.date] == CacheSample.date(0))
        #expect(Self.kept([.date: Self.date, "date": Self.date]).values(for: .date) == [CacheSample.date(0)])
        // RFC 850 and asctime formats are valid dates.
        #expect(Self.kept([.date: "Tue Nov 14 22:13:20 2023"])[.date] == "Tue Nov 14 22:13:20 2023")
    }

    @Test(
        "A response that loses its age or freshness fields is validated before each use (RFC 9111 §5.2.2.4)",
        arguments: [HTTPFieldName.cacheControl, .age, .date, .expires])
    func lostAges(_ name: HTTPFieldName) {
        for settings in [CacheSettings(), CacheSample.shared] {
            for way in ["Connection", "no-cache", "private"] where way != "private" || settings.isShared {
                var headers: HTTPFields = [
                    .date: CacheSample.date(-500), .age: "500", .expires: CacheSample.date(-1),
                    .cacheControl: "max-age=600, must-revalidate",
                    .lastModified: CacheSample.date(-1e6),
                ]
                if way == "Connection" {
                    headers.append(.connection, name.rawName)
                } else {
                    headers.append(.cacheControl, "\(way)=\(name)")
                }
                let response = CacheSample.stored(Self.kept(headers, settings))
                #expect(response.facts.requiresValidation, "\(way) \(name)")
                #expect(response.headers[.date] != nil, "\(way) \(name)")
            }
        }
    }
}
