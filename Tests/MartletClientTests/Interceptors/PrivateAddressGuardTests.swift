import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("PrivateAddressGuard", .timeLimit(.minutes(5)))
struct PrivateAddressGuardTests {
    private func isRefused(_ error: HTTPError?) -> Bool { if case .addressRefused = error { true } else { false } }

    private func client(_ transport: MockTransport, _ guarding: PrivateAddressGuard = .init()) -> HTTPClient {
        HTTPClient(transport: transport, interceptors: [guarding])
    }

    @Test(
        "A request to a refused host is not sent, and the error names the host",
        arguments: ["http://127.1/x", "http://localhost/x", "http://[::1]/x"])
    func refusing(text: String) async throws {
        let transport = MockTransport { _ in .text("inside") }
        let url = try #require(URL(string: text))
        let error = await #expect(throws: HTTPError.self) { try await client(transport).send(Request<Data>.get(url: url)) }
        #expect(isRefused(error) && error?.request?.url == url && error?.attempts == 0)
        #expect(transport.requests.isEmpty)
    }

    @Test("A redirect from an allowed host to a refused one is not followed")
    func redirects() async throws {
        let transport = MockTransport { request in
            request.url.host == "a.example" ? .status(302, headers: ["Location": "http://169.254.169.254/latest"]) : .text("secrets")
        }
        let url = try #require(URL(string: "http://a.example/"))
        let error = await #expect(throws: HTTPError.self) { try await client(transport).send(Request<Data>.get(url: url)) }
        #expect(isRefused(error) && error?.request?.url.host == "169.254.169.254")
        #expect(transport.requests.map(\.url.host) == ["a.example"])
    }

    @Test("The transport gets the policy for each request and redirect, except for a host whose name is allowed")
    func telling() async throws {
        let transport = MockTransport { request in
            request.url.host == "own.example" ? .status(302, headers: ["Location": "http://b.example/"]) : .text("x")
        }
        let guarding = try PrivateAddressGuard(allowing: ["own.example"])
        let url = try #require(URL(string: "http://own.example/"))
        _ = try await client(transport, guarding).send(Request<Data>.get(url: url))
        #expect(transport.requests.map(\.context.addressPolicy) == [nil, guarding.policy])
        #expect(PrivateAddressGuard(policy: .publicOnly).policy == .publicOnly)
    }

    private struct Bringing: Interceptor {
        let policy: AddressPolicy

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.context.addressPolicy = policy
            return try await next(request)
        }
    }

    /// A guard of an app, whose policy depends on the request.
    private struct TenantGuard: Interceptor {
        let policies: [String: AddressPolicy]

        func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            let policy = policies[request.headers["Tenant"] ?? ""] ?? .publicOnly
            return try await PrivateAddressGuard(policy: policy).intercept(request, next: next)
        }
    }

    @Test("A guard of an app applies a policy for each request, and a host is judged by its text in every spelling")
    func ownGuard() async throws {
        let transport = MockTransport { _ in .text("x") }
        let inside = try AddressPolicy(allowing: ["*.corp.example", "127.0.0.0/8"])
        let client = HTTPClient(transport: transport, interceptors: [TenantGuard(policies: ["a": inside])])
        for (host, isReached) in [("0x7f.1", true), ("x.corp.example", true), ("db.internal", false), ("localhost", false)] {
            #expect((inside.refusal(ofHost: host) == nil) == isReached)
            let url = try #require(URL(string: "http://\(host)/"))
            do throws(HTTPError) {
                _ = try await client.send(Request<Data>.get(url: url, headers: ["Tenant": "a"]))
                #expect(isReached)
            } catch { #expect(!isReached && isRefused(error)) }
        }
        let narrow = inside.intersection(.publicOnly)
        #expect(narrow.refusal(ofHost: "0x7f.1") != nil && narrow.refusal(ofHost: "b.example") == nil)
        #expect(narrow.refusal(ofAddress: "127.0.0.1") != nil && inside.refusal(ofAddress: "127.0.0.1") == nil)
    }

    @Test("Two guards, or a guard and the request's own policy, both apply")
    func two() async throws {
        let transport = MockTransport { _ in .text("x") }
        let wide = try PrivateAddressGuard(allowing: ["10.0.0.0/8", "own.example"], allowsProxies: true)
        let narrow = try PrivateAddressGuard(allowing: ["10.1.0.0/16", "192.168.0.0/16"])
        for guards in [[wide, narrow], [narrow, wide], [narrow, wide, narrow]] {
            let client = HTTPClient(transport: transport, interceptors: guards)
            for host in ["b.example", "own.example"] {
                _ = try await client.send(Request<Data>.get(url: try #require(URL(string: "http://\(host)/"))))
            }
            let error = await #expect(throws: HTTPError.self) {
                try await client.send(Request<Data>.get(url: try #require(URL(string: "http://192.168.1.1/"))))
            }
            #expect(isRefused(error))
            let both = try #require(transport.requests.suffix(2).first?.context.addressPolicy)
            #expect(both.refusal(ofAddress: "10.1.0.1") == nil && both.refusal(ofAddress: "8.8.8.8") == nil)
            #expect(both.refusal(ofAddress: "10.2.0.1") != nil && both.refusal(ofAddress: "192.168.1.1") != nil)
            #expect(both.decide(host: "10.1.0.1") == .allowPublicAddresses && both.decide(host: "own.example") == .allowPublicAddresses)
            if case .refuse = both.decide(host: "10.2.0.1") {} else { Issue.record("the narrower policy is not applied") }
            #expect(throws: HTTPError.self) { try both.checkProxy(for: try #require(URL(string: "http://b.example/"))) }
            // Only one of the two policies allows this name.
            #expect(transport.requests.last?.context.addressPolicy == narrow.policy)
        }
        let client = HTTPClient(transport: transport, interceptors: [Bringing(policy: narrow.policy), wide])
        _ = try await client.send(Request<Data>.get(url: try #require(URL(string: "http://own.example/"))))
        #expect(transport.requests.last?.context.addressPolicy == narrow.policy)
    }
}
