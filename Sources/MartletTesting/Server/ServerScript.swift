import Foundation
import Martlet

/// What a server is to answer, and what it was asked.
final class ServerScript: Sendable {
    typealias Handler = @Sendable (RecordedRequest) async throws -> MockReply

    /// Where the answer to a request comes from.
    enum Source: Sendable {
        case reply(MockReply)
        case handler(Handler)
    }

    private let replies = Locked<[MockReply]>([])
    private let handler: Handler?
    let requests = Recorder<RecordedRequest>()
    let time: any TimeSource

    init(handler: Handler?, time: any TimeSource) {
        self.handler = handler
        self.time = time
    }

    func enqueue(_ more: [MockReply]) { replies.withLock { $0 += more } }

    /// Keeps a request and says what answers it: a reply that was enqueued, else the handler, else a 500 that says so.
    func take(_ request: RecordedRequest) -> Source {
        requests.append(request)
        let next = replies.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let next { return .reply(next) }
        if let handler { return .handler(handler) }
        return .reply(.text("MockServer: nothing was scripted for \(request.method) \(request.target)\n", status: 500))
    }

    /// The answer of a handler; what it throws is a 500 with its words.
    func answer(_ request: RecordedRequest, by handler: Handler) async -> MockReply {
        do { return try await handler(request) } catch {
            return .text("MockServer: the handler threw \(error)\n", status: 500)
        }
    }
}
