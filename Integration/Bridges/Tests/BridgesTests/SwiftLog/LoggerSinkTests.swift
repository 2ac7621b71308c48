#if SwiftLog
import Foundation
import InMemoryLogging
import Logging
import Martlet
import MartletBridges
import MartletTesting
import Testing

@Suite("Log of calls over swift-log", .timeLimit(.minutes(5)))
struct LoggerSinkTests {
    private let handler: InMemoryLogHandler

    init() {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        self.handler = handler
    }

    private func client(_ level: Logger.Level = .trace, logsAttempts: Bool = false, _ replies: MockReply...) -> HTTPClient {
        var logger = Logger(label: "api") { [handler] _ in handler }
        logger.logLevel = level
        logger[metadataKey: "service"] = "birds"
        return HTTPClient(
            baseURL: URL(string: "https://api.example/v1"), transport: MockTransport(replies: replies),
            observers: [LoggingObserver(detail: .basic, to: .logger(logger), logsAttempts: logsAttempts)], time: ManualTime())
    }

    private func text(_ key: String, _ entry: InMemoryLogHandler.Entry?) -> String? { entry?.metadata[key].map { "\($0)" } }

    @Test("The outcome of a call has its facts as metadata, beside those of the logger")
    func facts() async throws {
        let id = 7
        _ = try await client(.debug, .json("1")).send(Request<Int>.get("users/\(id)").named("GetUser"))
        let entry = try #require(handler.entries.first)
        #expect(handler.entries.count == 1 && entry.level == .debug && entry.error == nil)
        #expect(entry.message.description.hasPrefix("#1 ← 200 OK"))
        #expect(
            entry.metadata.mapValues { "\($0)" } == [
                "service": "birds", "martlet.call": "1", "martlet.endpoint": "GetUser", "http.request.method": "GET",
                "server.address": "api.example", "url.template": "/users/{}", "http.response.status_code": "200",
                "martlet.duration": "0.0", "martlet.attempts": "1",
            ])
    }

    @Test(
        "The level of an entry follows from the outcome",
        arguments: [
            (MockReply.json("1"), Logger.Level.debug, nil), (.status(404), .warning, nil), (.status(503), .error, nil),
            (.json("{"), .error, "decodingFailed"), (.failure(.networkError(.init(.connectionRefused))), .error, "connectionRefused"),
            (.failure(.cancelled), .debug, "cancelled"),
        ])
    func levels(reply: MockReply, level: Logger.Level, type: String?) async {
        _ = await client(.trace, reply).result(of: Request<Int>.get("x"))
        #expect(handler.entries.map(\.level) == [.trace, level])
        #expect(text("error.type", handler.entries.last) == type)
    }

    @Test("The level of calls without an error can be chosen, and their requests stay below it")
    func outcomeLevel() async {
        let logger = Logger(label: "api") { [handler] _ in handler }
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: MockTransport(.json("1"), .status(404)),
            observers: [LoggingObserver(to: .logger(logger, outcomeLevel: .notice))])
        for _ in 0..<2 { _ = await client.result(of: Request<Int>.get("x")) }
        #expect(handler.entries.map(\.level) == [.trace, .notice, .trace, .warning])
    }

    @Test("Entries below the level of the logger are not written")
    func threshold() async {
        let client = client(.error, .json("1"), .status(404), .status(500))
        for _ in 0..<3 { _ = await client.result(of: Request<Int>.get("x")) }
        #expect(handler.entries.map(\.level) == [.error])
    }

    @Test("Each attempt has its number")
    func attempts() async throws {
        _ = try await client(.trace, logsAttempts: true, .json("1")).send(Request<Int>.get("x"))
        #expect(handler.entries.compactMap { text("martlet.attempt", $0) } == ["1"])
    }

    @Test("The metadata of the task's logger at the start of the call are kept, also for entries of another task")
    func inherited() async throws {
        var inherited = Logger(label: "request") { _ in InMemoryLogHandler() }
        inherited[metadataKey: "request-id"] = "r1"
        inherited[metadataKey: "service"] = "server"
        let client = client(.trace, .stream("a", "b"))
        let stream = try await withLogger(inherited) { _ in try await client.stream(Request<Data>.get("x")) }
        _ = try await stream.body.collect()
        #expect(handler.entries.count == 3)
        #expect(handler.entries.allSatisfy { text("request-id", $0) == "r1" && text("service", $0) == "server" })
    }

    @Test("Calls outside a task with a logger have no further metadata")
    func notInherited() async throws {
        _ = try await client(.trace, .json("1")).send(Request<Int>.get("x"))
        #expect(handler.entries.allSatisfy { text("service", $0) == "birds" && text("request-id", $0) == nil })
    }

    @Test("A failure before the first request has the name of the call")
    func withoutRequest() async {
        _ = await client().with { $0.baseURL = nil }.result(of: Request<Int>.get("x").named("Get"))
        #expect(handler.entries.count == 1 && text("error.type", handler.entries.first) == "invalidURL")
        #expect(text("martlet.endpoint", handler.entries.first) == "Get" && text("http.request.method", handler.entries.first) == "GET")
    }

    @Test("An interceptor logs to a logger too")
    func interceptor() async throws {
        let logger = Logger(label: "api") { [handler] _ in handler }
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: MockTransport(.json("1")),
            interceptors: [LoggingInterceptor(to: .logger(logger))])
        _ = try await client.send(Request<Int>.get("birds/\(2)"))
        #expect(handler.entries.map { text("martlet.endpoint", $0) } == ["GET birds/{}", "GET birds/{}"])
        #expect(text("url.template", handler.entries.last) == "/birds/{}")
        #expect(text("http.response.status_code", handler.entries.last) == "200")
    }
}
#endif
