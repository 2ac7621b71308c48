import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("HTTPClient: copies with changes", .timeLimit(.minutes(5)))
struct HTTPClientComponentsTests {
    @Test("A copy has the changes, and the original is unchanged")
    func changes() async throws {
        let transport = MockTransport { _ in .json(#"{"first_name":"Ada"}"#) }
        struct Person: Decodable, Sendable { let firstName: String }
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
        let copy = client.with {
            $0.baseURL = URL(string: "https://b.example/v2")
            $0.decoder = .snakeCase
            $0.configuration.totalTimeout = .seconds(5)
        }
        #expect(try await copy.send(Request<Person>.get("me")).firstName == "Ada")
        await #expect(throws: HTTPError.self) { try await client.send(Request<Person>.get("me")) }
        #expect(transport.requests.map(\.url.absoluteString) == ["https://b.example/v2/me", "https://a.example/me"])
        #expect(copy.configuration.totalTimeout == .seconds(5) && client.configuration.totalTimeout == .seconds(60))
    }

    @Test("Copies share their group of calls, unless they have different transports")
    func calls() {
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport())
        #expect(client.with { $0.baseURL = nil }.calls === client.calls)
    }

    @Test("Interceptors use the client's clock and random numbers, and recorded requests do not keep the client alive")
    func services() async throws {
        struct Probe: Interceptor {
            let seen: Recorder<(Date, UInt64)>
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                seen.append((request.context.time.now, request.context.random.next()))
                return try await next(request)
            }
        }
        let moment = Date(timeIntervalSince1970: 86_400), seen = Recorder<(Date, UInt64)>()
        weak var released: MockTransport?
        var recorded: [HTTPRequest] = []
        do {
            let transport = MockTransport { _ in .data(Data()) }
            released = transport
            let client = HTTPClient(
                baseURL: URL(string: "https://a.example"), transport: transport, interceptors: [Probe(seen: seen)],
                time: ManualTime(now: moment), random: SeededRandom(seed: 1))
            try await client.send(Request<Data>.get("x"))
            recorded = transport.requests
        }
        #expect(seen.values.first?.0 == moment && seen.values.first?.1 == SeededRandom(seed: 1).next())
        #expect(released == nil && recorded.count == 1)
        let outside = HTTPRequest(url: URL(string: "https://a.example")!).context
        #expect(outside.time is SystemTime && outside.random is SystemRandom && outside.endpointName == "")
    }

    @Test("The body of an error response is decoded by the client's decoder, as the type that the endpoint declares")
    func errorBodies() async throws {
        struct Refusal: Decodable, Sendable, Equatable { let reasonCode: Int }
        struct Pay: Endpoint {
            typealias ErrorBody = Refusal
            var path: Path { "pay" }
        }
        struct Plain: Endpoint { var path: Path { "plain" } }
        let transport = MockTransport(.json(#"{"reason_code":7}"#, status: 402), .json(#"{"title":"no"}"#, status: 402))
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport, decoder: .snakeCase)
        let error = await #expect(throws: HTTPError.self) { try await client.send(Pay()) }
        #expect(error?.decoded(for: Pay.self) == Refusal(reasonCode: 7))
        let other = await #expect(throws: HTTPError.self) { try await client.send(Plain()) }
        #expect(other?.decoded(for: Plain.self)?.title == "no" && other?.decoded(for: Pay.self) == nil)
    }
}
