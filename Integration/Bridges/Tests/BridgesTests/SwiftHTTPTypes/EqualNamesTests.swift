#if SwiftHTTPTypes
#if AsyncHTTPClient
import AsyncHTTPClient
#endif
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import Testing

/// This file imports types of equal names: `HTTPRequest`, `HTTPResponse` and `HTTPFields` of swift-http-types, and with its trait
/// `HTTPClient` of async-http-client.
@Suite("Names of Martlet and of other packages in one file")
struct EqualNamesTests {
    /// The types of one package as parameters and results.
    private func fields(of request: HTTPTypes::HTTPRequest) -> Martlet::HTTPFields {
        Martlet::HTTPFields(Dictionary(request.headerFields.map { ($0.name.rawName, $0.value) }) { first, _ in first })
    }

    /// An interceptor has Martlet's types in the signature that its protocol requires.
    private struct Signing: Interceptor {
        func intercept(_ request: Martlet::HTTPRequest, next: Next) async throws -> Martlet::HTTPResponse<HTTPBody> {
            var request = request
            request.headers["X-Signature"] = "1"
            return try await next(request)
        }
    }

    @Test("A module selector says which package's type is meant, in signatures and expressions")
    func selectors() async throws {
        let transport = MockTransport(.text("done"))
        let client = Martlet::HTTPClient(baseURL: URL(string: "https://h"), transport: transport, interceptors: [Signing()])
        var other = HTTPTypes::HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/a")
        other.headerFields[.accept] = "text/plain"
        let response: Martlet::HTTPResponse<String> = try await client.response(for: Request<String>.get("a", headers: fields(of: other)))
        #expect(response.body == "done" && HTTPTypes::HTTPResponse(status: .ok).status.code == response.status.rawValue)
        #expect(transport.requests[0].headers[.accept] == "text/plain" && transport.requests[0].headers["X-Signature"] == "1")
    }

    @Test("An alias with a selector makes the short name Martlet's in its scope")
    func alias() {
        typealias HTTPFields = Martlet::HTTPFields
        let fields: HTTPFields = [.accept: "a"]
        #expect(fields == Martlet::HTTPFields(["Accept": "a"]))
    }

    @Test("The name of the module that declares a type works as well as the name of the module that exports it")
    func modules() {
        #expect(Martlet::HTTPClient.self == MartletClient::HTTPClient.self && Martlet::HTTPFields.self == MartletHTTP::HTTPFields.self)
    }

    #if AsyncHTTPClient
    /// A service that has a client of each package.
    private struct Clients {
        let ours: Martlet::HTTPClient
        let theirs: AsyncHTTPClient::HTTPClient
    }

    @Test("Clients of both packages have their types in one declaration")
    func clients() {
        let clients = Clients(ours: Martlet::HTTPClient(transport: MockTransport()), theirs: AsyncHTTPClient::HTTPClient.shared)
        let configuration: Martlet::HTTPClient.Configuration = clients.ours.configuration
        #expect(configuration.totalTimeout == .seconds(60) && type(of: clients.theirs) == AsyncHTTPClient::HTTPClient.self)
    }
    #endif
}
#endif
