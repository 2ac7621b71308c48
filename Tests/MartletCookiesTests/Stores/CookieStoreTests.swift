import Foundation
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("CookieStore", .timeLimit(.minutes(5)))
struct CookieStoreTests {
    private let store = MemoryCookieStore()

    private func fill() async throws {
        for (name, domain) in [("a", "h.example"), ("b", "www.h.example"), ("c", "other.example"), ("d", "127.0.0.1")] {
            try await store.set(Cookie(name, "1", domain: domain, expires: name == "b" ? Date() + 60 : nil))
        }
    }

    private func names() async throws -> [String] { try await store.cookies().map(\.name).sorted() }

    @Test("Cookies are read by URL, which is not a use of them")
    func reading() async throws {
        try await fill()
        let before = try await store.cookies()
        #expect(try await store.cookies(for: URL(string: "https://h.example/x")!).map(\.name) == ["a"])
        #expect(try await store.cookies(for: URL(string: "http://h.example/x")!).isEmpty)
        #expect(try await store.cookies() == before)
    }

    @Test("Cookies are removed by name, by domain, by session and all together")
    func removing() async throws {
        try await fill()
        #expect(try await store.remove("a", domain: "H.example"))
        #expect(try await !store.remove("a", domain: "h.example"))
        try await fill()
        try await store.removeAll(domain: "h.example")
        #expect(try await names() == ["c", "d"])
        try await fill()
        try await store.removeSessionCookies()
        #expect(try await names() == ["b"])
        try await store.removeAll()
        #expect(try await names() == [])
    }

    @Test("One cookie that is too large does not prevent the others, and is reported")
    func tooLarge() async throws {
        let large = try Cookie("large", String(repeating: "x", count: 5_000), domain: "h.example")
        let error = try await #require(throws: StateStoreError.self) {
            try await store.set([large, Cookie("a", "1", domain: "h.example")])
        }
        #expect(error == .rejected(name: "large", host: "h.example", .tooLarge))
        #expect(try await names() == ["a"])
    }

    @Test("Concurrent changes are all kept")
    func concurrency() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask { try await store.set(Cookie("c\(index)", "1", domain: "h\(index % 7).example")) }
            }
            try await group.waitForAll()
        }
        #expect(try await store.cookies().count == 100)
    }

    @Test("A cookie is removed for one path, or for all")
    func removingPaths() async throws {
        for path in ["/", "/x", "/y"] { try await store.set(Cookie("a", "1", domain: "h.example", path: path)) }
        #expect(try await store.remove("a", domain: "h.example", path: "/x"))
        #expect(try await store.cookies().map(\.path).sorted() == ["/", "/y"])
        #expect(try await store.remove("a", domain: "h.example"))
        #expect(try await names() == [])
    }

    @Test("A domain to remove is compared without regard to case")
    func removingDomainCase() async throws {
        try await fill()
        try await store.removeAll(domain: "H.Example")
        #expect(try await names() == ["c", "d"])
    }
}
