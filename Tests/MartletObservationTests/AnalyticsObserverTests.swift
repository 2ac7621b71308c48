import Foundation
import MartletTesting
import Testing

@testable import MartletObservation

@Suite("AnalyticsObserver", .timeLimit(.minutes(5)))
struct AnalyticsObserverTests {
    private enum AppError: Error { case missing, other }

    private struct Mapper: ErrorMapper {
        func map(_ error: HTTPError) -> AppError { error.status == .notFound ? .missing : .other }
    }

    private struct GetUser: Endpoint {
        struct Response: Decodable, Sendable { let id: Int }
        let id: Int
        var path: Path { "users/\(id)" }
    }

    private let reports = Recorder<AnalyticsObserver<Mapper>.Report>()
    private let time = ManualTime()

    private func client(_ transport: MockTransport, _ interceptors: [any Interceptor] = []) -> HTTPClient {
        let observer = AnalyticsObserver(mapping: Mapper()) { [reports] in reports.append($0) }
        return HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: interceptors, observers: [observer], time: time)
    }

    private var outcomes: [String] {
        reports.values.map { $0.error.map { "\($0)" } ?? ($0.isCancelled ? "cancelled" : "succeeded") }
    }

    @Test("Each outcome is reported once, with the app's error")
    func outcome() async {
        let client = client(MockTransport(.json(#"{"id":1}"#), .status(404), .json("[]"), .failure(.cancelled)))
        for id in 1...4 { _ = await client.result(of: GetUser(id: id)) }
        #expect(outcomes == ["succeeded", "missing", "other", "cancelled"])
        #expect(reports.values.map(\.status?.rawValue) == [200, 404, 200, nil])
        #expect(reports.values.allSatisfy { $0.call.name == "GetUser" && $0.call.pathTemplate == "users/{}" && $0.attempts == 1 })
        #expect(reports.values.map(\.cause?.stage) == [nil, .validation, .decoding, nil])
        #expect(reports.values.map(\.failure) == [nil, "Status 404 Not Found", "Decoding failed", nil])
    }

    @Test("The duration includes waits, and attempts include retries")
    func duration() async {
        let retry = RetryInterceptor(RetryPolicy(maxAttempts: 2, backoff: .constant(.seconds(2))))
        let client = client(MockTransport(.status(503), .json(#"{"id":1}"#), .status(503), .status(503)), [retry])
        for id in 1...2 { _ = await client.result(of: GetUser(id: id)) }
        #expect(reports.values.map(\.duration) == [.seconds(2), .seconds(2)])
        #expect(reports.values.map(\.attempts) == [2, 2] && outcomes == ["succeeded", "other"])
    }

    @Test("A call that sent nothing has no attempts")
    func nothingSent() async {
        let observer = AnalyticsObserver(mapping: Mapper()) { [reports] in reports.append($0) }
        _ = await HTTPClient(transport: MockTransport(), observers: [observer]).result(of: GetUser(id: 1))
        #expect(outcomes == ["other"] && reports.values.map(\.attempts) == [0])
    }

    @Test("A stored response has no attempts, and one shared with another call has the attempt of that call")
    func shared() async throws {
        let transport = MockTransport { _ in .json(#"{"id":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let cached = client(transport, [CacheInterceptor(store: MemoryCacheStore(), scope: .everyone)])
        for _ in 1...2 { _ = try await cached.send(GetUser(id: 1)) }
        #expect(reports.values.map(\.attempts) == [1, 0])
        let coalescing = client(transport, [Coalescing()])
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...4 { group.addTask { _ = await coalescing.result(of: GetUser(id: 2)) } }
        }
        #expect(reports.values.count == 6 && reports.values.suffix(4).allSatisfy { $0.attempts == 1 })
    }

    @Test("A stream is reported when its body ends, and as cancelled when it is dropped")
    func streams() async throws {
        let client = client(MockTransport(.stream("a", "b"), .stream("a", "b")))
        do {
            let response = try await client.stream(GetUser(id: 1))
            #expect(reports.values.isEmpty)
            for try await _ in response.body {}
            #expect(outcomes == ["succeeded"])
        }
        _ = try await client.stream(GetUser(id: 1))
        #expect(outcomes == ["succeeded", "cancelled"])
    }

    @Test("Without a mapper, errors are mapped to APIError")
    func standard() async {
        let errors = Recorder<APIError>()
        let observer = AnalyticsObserver { if let error = $0.error { errors.append(error) } }
        let client = HTTPClient(baseURL: URL(string: "https://h/"), transport: MockTransport(.status(403)), observers: [observer])
        _ = await client.result(of: GetUser(id: 1))
        #expect(errors.values == [.forbidden])
    }
}
