import Foundation
import MartletTesting
import Testing

@testable import MartletClient

/// A client of an app, which wraps another one and returns its configuration.
private struct Wrapper: HTTPClientProtocol {
    let client: HTTPClient
    var baseURL: URL? { client.baseURL }
    var configuration: HTTPClient.Configuration { client.configuration }

    @concurrent func perform<E: Endpoint, Value: Sendable>(
        _ endpoint: E, options: CallOptions, decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> { try await client.perform(endpoint, options: options, decoding: decoding) }

    @concurrent func stream<E: Endpoint>(_ endpoint: E, options: CallOptions) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        try await client.stream(endpoint, options: options)
    }
}

@Suite("Clients of other types", .timeLimit(.minutes(5)))
struct EndpointClientTests {
    private let client = HTTPClient(
        baseURL: URL(string: "https://a.example/v1"), transport: MockTransport(),
        configuration: .init(totalTimeout: .seconds(3), headers: ["X-App": "1"], harmlessFields: ["X-App"]))

    @Test("The configuration of a client that names none has the default limits")
    func none() {
        #expect(HTTPClientMock().configuration.totalTimeout == .seconds(60))
    }

    @Test("A client that maps errors has the configuration of the client that it wraps, also through a wrapper")
    func mapped() {
        let mapped = Wrapper(client: client).mappingErrors(HTTPErrorMapper())
        #expect(mapped.configuration.totalTimeout == .seconds(3) && mapped.configuration.harmlessFields == ["X-App"])
    }

    @Test("A wrapper completes a request as the wrapped client does, with the fields, the origin and the harmless names")
    func completed() throws {
        let request = HTTPRequest(url: try #require(URL(string: "https://a.example/x")))
        let own = client.completed(request), wrapped = Wrapper(client: client).completed(request)
        #expect(own.headers == ["X-App": "1"] && wrapped.headers == own.headers)
        #expect(own.context.baseOrigin != nil && wrapped.context.baseOrigin == own.context.baseOrigin)
        #expect(own.context.harmlessFields == ["X-App"] && wrapped.context.harmlessFields == own.context.harmlessFields)
    }

    @Test("A client without interceptors adds no credential, and one of an unknown type may")
    func credentials() throws {
        let request = HTTPRequest(url: try #require(URL(string: "https://a.example/x")))
        #expect(!client.mayAddCredential(to: request) && Wrapper(client: client).mayAddCredential(to: request))
    }
}
