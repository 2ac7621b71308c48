#if SwiftOpenAPI
import Foundation
import Martlet
import MartletTesting
import OpenAPIRuntime

/// Returns the error of the client under that of generated code, or nil if the call succeeds or fails with another error.
func underlyingError(_ call: @Sendable () async throws -> some Sendable) async -> HTTPError? {
    do {
        _ = try await call()
        return nil
    } catch { return (error as? ClientError)?.underlyingError as? HTTPError }
}

/// Tokens of which the first is rejected and replaced by `new`.
struct CountedTokens: TokenProvider {
    let refreshes = Recorder<String>()

    func token() async throws -> AccessToken? { AccessToken(refreshes.values.isEmpty ? "old" : "new") }

    func token(replacing rejected: AccessToken) async throws -> AccessToken? {
        refreshes.append(rejected.value)
        return AccessToken("new")
    }
}

/// Gets a hundred birds at the same time.
func getHundredBirds(_ client: BirdsClient) async throws {
    try await withThrowingTaskGroup { group in
        for id in 0..<100 {
            group.addTask {
                guard case .ok = try await client.getBird(.init(id: "\(id)")) else { throw HTTPError.invalidResponse }
            }
        }
        try await group.waitForAll()
    }
}

struct BodyRecorder: Interceptor {
    let bodies: Recorder<Martlet::HTTPBody>

    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<Martlet::HTTPBody> {
        if let body = request.body { bodies.append(body) }
        return try await next(request)
    }
}

struct CallNames: CallObserver {
    let calls: Recorder<CallInfo>

    func observe(_ event: CallEvent, of call: CallInfo) {
        if case .started = event { calls.append(call) }
    }
}

struct CallOutcomes: CallObserver {
    let outcomes: Recorder<Result<Martlet::HTTPResponse<Void>?, HTTPError>>

    func observe(_ event: CallEvent, of call: CallInfo) {
        if case .ended(let outcome, _) = event { outcomes.append(outcome) }
    }
}

struct LabelSink: MetricsSink {
    let labels: Recorder<[CallMetric.Label]>

    func record(_ value: Double, of metric: CallMetric, labels: [CallMetric.Label]) { self.labels.append(labels) }
}

/// A transport that reads a few chunks of the request's body, and then responds.
struct ReadingTransport: Transport {
    let chunks: Int
    let produced: Recorder<Int>

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<Martlet::HTTPBody> {
        var body = (request.body ?? .empty).makeAsyncIterator()
        for _ in 0..<chunks { _ = try await body.next() }
        guard produced.values.count <= chunks + 1 else { throw .invalidRequest("the body was read ahead") }
        return HTTPResponse(status: .created, headers: ["Content-Type": "application/json"], body: Martlet::HTTPBody(OperationTests.robin))
    }
}

/// Chunks that can be iterated any number of times.
struct AsyncChunks: AsyncSequence, Sendable {
    let chunks: [ArraySlice<UInt8>]

    init(_ chunks: [ArraySlice<UInt8>]) { self.chunks = chunks }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<ArraySlice<UInt8>>

        mutating func next() async -> ArraySlice<UInt8>? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...]) }
}

extension OpenAPIRuntime::HTTPBody {
    /// A body of unknown length that can be iterated once.
    static func once(_ texts: [String]) -> OpenAPIRuntime::HTTPBody {
        OpenAPIRuntime::HTTPBody(AsyncChunks(texts.map { Array($0.utf8)[...] }), length: .unknown, iterationBehavior: .single)
    }
}
#endif
