import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: the person that a response belongs to", .timeLimit(.minutes(5)))
struct CacheIdentityTests {
    private static let unknown = [
        "X-Query-Key", "X-Appwrite-Key", "X-MC-Auth", "X-Honeycomb-Team", "X-Remote-User", "X-2FA-Code", "X-Forwarded-Client-Cert",
    ]

    /// Creates a client whose server responds with the value of a field.
    private func cached(
        _ name: HTTPFieldName, _ control: String, _ more: HTTPFields = [:], isShared: Bool = false,
        outside: [any Interceptor] = [], inside: [any Interceptor] = []
    ) -> CachedClient {
        CachedClient(
            MockTransport { request in
                var headers: HTTPFields = [.cacheControl: control]
                headers.addMissing(more)
                return .text(request.headers[name] ?? "nobody", headers: headers)
            }, settings: CacheSettings(isShared: isShared), outside: outside, inside: inside)
    }

    private struct Adding: Interceptor {
        let name: HTTPFieldName
        let value: String

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.headers[name] = value
            return try await next(request)
        }
    }

    @Test("Requests that differ in a field of an unknown name never share a response", arguments: unknown)
    func apart(name: String) async throws {
        let name = HTTPFieldName(name)
        for control in ["private, max-age=60", "max-age=60", "public, private, max-age=60"] {
            let cached = cached(name, control)
            for user in ["ada", "bob", nil, "ada", "bob", nil] {
                let fields: HTTPFields = user.map { [name: $0] } ?? [:]
                #expect(try await cached.get("x", fields).text == user ?? "nobody", "\(control)")
            }
            #expect(cached.count == 3, "\(control)")
        }
    }

    @Test(
        "A public response is used for all requests, except those with other credentials", arguments: ["public, max-age=60", "s-maxage=60"])
    func everyone(control: String) async throws {
        let isShared = control.hasPrefix("s-")
        let cached = cached("X-Tenant", control, isShared: isShared)
        for fields: HTTPFields in [["X-Tenant": "a"], ["X-Tenant": "b"], [:], ["X-Query-Key": "k"]] {
            #expect(try await cached.get("x", fields).text == "a")
        }
        #expect(cached.count == 1)
        #expect(try await cached.get("x", [.authorization: "t", "X-Tenant": "c"]).text == "c")
        #expect(try await cached.get("x", [.authorization: "t", "X-Tenant": "d"]).text == "c")
        #expect(try await cached.get("x", [.authorization: "u", "X-Tenant": "e"]).text == "e")
        #expect(cached.count == 3)
    }

    @Test("A public response that sets a cookie belongs to the person that requested it")
    func cookies() async throws {
        let cached = cached("X-Tenant", "public, max-age=60", [.setCookie: "session=1"])
        for tenant in ["a", "b", "a"] { #expect(try await cached.get("x", ["X-Tenant": tenant]).text == tenant) }
        #expect(cached.count == 2)
    }

    @Test("A response to a request that nothing identifies is not used for one with a field of an unknown name")
    func anonymous() async throws {
        let cached = cached("X-Tenant", "max-age=60")
        _ = try await cached.get("x")
        #expect(try await cached.get("x", ["X-Tenant": "a"]).text == "a")
        #expect(try await cached.get("x", [.cookie: "c", "X-Tenant": "b"]).text == "b")
        #expect(try await cached.get("x", [.cookie: "c"]).text == "nobody")
        #expect(cached.count == 3)
    }

    @Test("Harmless fields, and those that the app declares, do not keep responses apart")
    func harmless() async throws {
        let cached = cached("X-Tenant", "max-age=60")
        for number in 0..<3 {
            let fields: HTTPFields = [
                "X-Request-ID": "\(number)", "traceparent": "\(number)", .userAgent: "\(number)", .accept: "\(number)",
                "X-Trace": "\(number)",
            ]
            let client = cached.client.with { $0.configuration.harmlessFields = ["x-trace"] }
            _ = try await client.response(for: CachedClient.request("x", fields))
        }
        #expect(cached.count == 1)
    }

    @Test("Versions of an app share responses, because its metadata does not identify the user")
    func versions() async throws {
        let store = MemoryCacheStore()
        for version in ["1", "2"] {
            let app = HeadersInterceptor.app(AppMetadata(name: "Birds", version: version), prefix: "Birds-")
            let cached = CachedClient(
                MockTransport { _ in .text(version, headers: .fresh()) }, store: store, outside: [app])
            #expect(try await cached.get().text == "1")
        }
    }

    @Test("A response to a request to which an interceptor inside adds a field of an unknown name is not stored", arguments: unknown)
    func inside(name: String) async throws {
        let name = HTTPFieldName(name)
        let own = cached(name, "max-age=60", inside: [Adding(name: name, value: "ada")])
        #expect(try await own.get().cacheStatus?.isStored == false)
        #expect(try await own.get().cacheStatus?.isHit == false)
        let everyone = cached(name, "public, max-age=60", inside: [Adding(name: name, value: "ada")])
        #expect(try await everyone.get().cacheStatus?.isStored == true)
        let harmless = cached("X-Request-ID", "max-age=60", inside: [Adding(name: "X-Request-ID", value: "1")])
        #expect(try await harmless.get().cacheStatus?.isStored == true)
    }

    @Test("A public response that a validation makes private is no longer used for others")
    func madePrivate() async throws {
        let cached = CachedClient(
            MockTransport { request in
                let isValidation = request.headers.contains(.ifNoneMatch)
                let headers: HTTPFields = [.cacheControl: isValidation ? "private, max-age=60" : "public, max-age=1", .eTag: "\"v\""]
                return isValidation ? .status(304, headers: headers) : .text(request.headers["X-Tenant"] ?? "nobody", headers: headers)
            })
        #expect(try await cached.get("x", ["X-Tenant": "a"]).text == "a")
        cached.time.advance(by: .seconds(2))
        #expect(try await cached.get("x", ["X-Tenant": "b"]).text == "a")
        #expect(try await cached.get("x", ["X-Tenant": "c"]).text == "c")
        #expect(cached.count == 3)
    }

    @Test("Concurrent requests that differ in a field of an unknown name are sent separately")
    func flights() async throws {
        let gate = Barrier()
        let cached = CachedClient(
            MockTransport { request in
                await gate.pass()
                return .text(request.headers["X-Query-Key"] ?? "", headers: .fresh())
            })
        let calls = ["ada", "bob", "ada"].map { user in Task { try await cached.get("x", ["X-Query-Key": user]).text } }
        try await cached.transport.waitForRequests(2)
        gate.open()
        var texts: [String] = []
        for call in calls { texts.append(try await call.value) }
        #expect(texts == ["ada", "bob", "ada"])
    }
}
