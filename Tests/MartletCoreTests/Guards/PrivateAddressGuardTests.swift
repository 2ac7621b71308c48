import Foundation
import MartletTesting
import Testing

@testable import MartletCore

@Suite("PrivateAddressGuard")
struct PrivateAddressGuardTests {
    private func isRefused(_ error: HTTPError?) -> Bool { if case .addressRefused = error { true } else { false } }

    private func client(_ transport: MockTransport, _ guarding: PrivateAddressGuard = .init()) -> HTTPClient {
        HTTPClient(transport: transport, interceptors: [guarding])
    }

    @Test(
        "A request to a refused host is not sent, and the error names it",
        arguments: ["http://127.1/x", "http://localhost/x", "http://[::1]/x"])
    func refusing(text: String) async throws {
        let transport = MockTransport { _ in .text("inside") }
        let url = try #require(URL(string: text))
        let error = await #expect(throws: HTTPError.self) { try await client(transport).send(Request<Data>.get(url: url)) }
        #expect(isRefused(error) && error?.request?.url == url && error?.attempts == 0)
        #expect(transport.requests.isEmpty)
    }

    @Test("A redirect from a host that may be reached to one that may not is not followed")
    func redirects() async throws {
        let transport = MockTransport { request in
            request.url.host == "a.example" ? .status(302, headers: ["Location": "http://169.254.169.254/latest"]) : .text("secrets")
        }
        let url = try #require(URL(string: "http://a.example/"))
        let error = await #expect(throws: HTTPError.self) { try await client(transport).send(Request<Data>.get(url: url)) }
        #expect(isRefused(error) && error?.request?.url.host == "169.254.169.254")
        #expect(transport.requests.map(\.url.host) == ["a.example"])
    }

    @Test("The transport is told the policy, but for a host whose name is allowed, and at each redirect anew")
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
}
