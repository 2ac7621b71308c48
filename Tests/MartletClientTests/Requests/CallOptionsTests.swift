import Foundation
import MartletClient
import MartletTesting
import Testing

@Suite("CallOptions", .timeLimit(.minutes(5)))
struct CallOptionsTests {
    private struct GetNews: Endpoint {
        typealias Response = Data
        var path: Path { "news" }
        var timeout: Duration?
        var validation = StatusValidation.clientDefault
        var options = CallOptions()
    }

    private enum Feature: RequestContextKey { static let defaultValue = "" }

    /// Returns the context in which a call is sent.
    private func context(
        _ endpoint: GetNews, _ options: CallOptions = CallOptions(), configuration: HTTPClient.Configuration = .init(),
        time: ManualTime = ManualTime(autoAdvances: false)
    ) async throws -> RequestContext {
        let transport = MockTransport { _ in .data(Data()) }
        let client = HTTPClient(
            baseURL: URL(string: "https://a.example"), transport: transport, configuration: configuration, time: time)
        _ = try await client.send(endpoint, options: options)
        return try #require(transport.requests.first).context
    }

    private func timeLeft(_ endpoint: GetNews, _ options: CallOptions = CallOptions()) async throws -> Duration? {
        let time = ManualTime(autoAdvances: false)
        let deadline = try await context(endpoint, options, time: time).deadline
        return deadline.map { time.instant.duration(to: $0) }
    }

    @Test("The precedence of timeouts is: call, endpoint, endpoint's options, client")
    func timeouts() async throws {
        var options = CallOptions(timeout: .seconds(3))
        #expect(try await timeLeft(GetNews()) == .seconds(60))
        #expect(try await timeLeft(GetNews(options: options)) == .seconds(3))
        #expect(try await timeLeft(GetNews(timeout: .seconds(2), options: options)) == .seconds(2))
        #expect(try await timeLeft(GetNews(timeout: .seconds(2)), options) == .seconds(3))
        options.timeout = .unlimited
        #expect(try await timeLeft(GetNews(timeout: .seconds(2)), options) == nil)
        #expect(try await timeLeft(GetNews(timeout: .unlimited)) == nil)
    }

    @Test("An unlimited time limit removes the client's")
    func unlimited() async throws {
        let configuration = HTTPClient.Configuration(attemptTimeout: .seconds(1), idleTimeout: .seconds(2))
        let plain = try await context(GetNews(), configuration: configuration)
        #expect(plain.attemptTimeout == .seconds(1) && plain.idleTimeout == .seconds(2))
        let options = CallOptions(attemptTimeout: .unlimited, idleTimeout: .unlimited)
        let unlimited = try await context(GetNews(), options, configuration: configuration)
        #expect(unlimited.attemptTimeout == nil && unlimited.idleTimeout == nil)
    }

    @Test("A change to a copy of options leaves the original and the defaults unchanged")
    func copies() {
        let original = CallOptions(timeout: .seconds(1), tags: ["a"])
        var copy = original
        copy.timeout = .seconds(2)
        copy[Feature.self] = "checkout"
        #expect(original.timeout == .seconds(1) && original[Feature.self].isEmpty)
        #expect(copy.timeout == .seconds(2) && copy[Feature.self] == "checkout" && copy.tags == ["a"])
        var defaults = CallOptions()
        defaults.attemptTimeout = .seconds(3)
        defaults.isIdempotent = true
        #expect(CallOptions().attemptTimeout == nil && CallOptions().isIdempotent == nil && !CallOptions().allowsGETBody)
    }

    @Test("A description of options shows only the values that are set")
    func mirror() {
        let shown = String(reflecting: CallOptions(timeout: .seconds(3), tags: ["a"]))
        #expect(shown.contains("timeout: 3.0 seconds") && shown.contains("tags") && !shown.contains("idleTimeout"))
        #expect("\(CallOptions())" == "CallOptions()")
    }

    @Test("`.none` accepts every status, and `.clientDefault` leaves the statuses to the endpoint, its options or 200 to 299")
    func validation() async throws {
        let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: MockTransport { _ in .status(404) })
        func status(_ endpoint: GetNews, _ options: CallOptions = CallOptions()) async -> HTTPStatus? {
            do { return try await client.response(for: endpoint, options: options).status } catch { return nil }
        }
        #expect(await status(GetNews()) == nil)
        #expect(await status(GetNews(), CallOptions(validation: .none)) == .notFound)
        #expect(await status(GetNews(validation: [404])) == .notFound)
        #expect(await status(GetNews(options: CallOptions(validation: [404]))) == .notFound)
        #expect(await status(GetNews(validation: .successCodes, options: CallOptions(validation: [404]))) == nil)
        #expect(await status(GetNews(validation: [404]), CallOptions(validation: .successCodes)) == nil)
        #expect(StatusValidation.codes([404]).accepts(.notFound) && !StatusValidation.codes([404]).accepts(.ok))
        #expect(StatusValidation.clientDefault.accepts(.ok) && !StatusValidation.clientDefault.accepts(.notFound))
    }

    @Test("The call's policies, idempotency, values and tags are added to the endpoint's and take precedence")
    func merging() async throws {
        var own = CallOptions(cachePolicy: .cacheOnly, isIdempotent: true, tags: ["a"])
        own[Feature.self] = "own"
        let kept = try await context(GetNews(options: own), CallOptions(retryPolicy: .never, tags: ["b"]))
        #expect(kept.cachePolicy == .cacheOnly && kept.isIdempotent == true && kept[Feature.self] == "own" && kept.tags == ["a", "b"])
        #expect(kept.retryPolicy?.maxAttempts == 1)
        var call = CallOptions(cachePolicy: .reload, isIdempotent: false)
        call[Feature.self] = "call"
        let changed = try await context(GetNews(options: own), call)
        #expect(changed.cachePolicy == .reload && changed.isIdempotent == false && changed[Feature.self] == "call")
        let plain = try await context(GetNews())
        #expect(plain.cachePolicy == .useProtocol && plain.retryPolicy == nil && plain.isIdempotent == nil && plain.tags.isEmpty)
    }

    @Test("The call's redirect policy is used unless it leaves the choice to the endpoint or the client")
    func redirects() async throws {
        func count(_ endpoint: GetNews, _ options: CallOptions) async throws -> Int {
            let transport = MockTransport(.status(302, headers: ["Location": "/b"]), .data(Data()))
            let client = HTTPClient(baseURL: URL(string: "https://a.example"), transport: transport)
            _ = try? await client.send(endpoint, options: options)
            return transport.requests.count
        }
        #expect(try await count(GetNews(), CallOptions()) == 2)
        #expect(try await count(GetNews(), CallOptions(redirects: .none)) == 1)
        #expect(try await count(GetNews(options: CallOptions(redirects: .none)), CallOptions()) == 1)
        #expect(try await count(GetNews(options: CallOptions(redirects: .none)), CallOptions(redirects: .follow())) == 2)
    }
}
