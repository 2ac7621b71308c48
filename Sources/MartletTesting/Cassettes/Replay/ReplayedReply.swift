internal import MartletEssentials
internal import MartletSystem

/// Converts a recorded exchange to the reply of a test double.
enum ReplayedReply {
    static func of(_ exchange: RecordedExchange, isTimed: Bool) throws(HTTPError) -> MockReply {
        var reply = try reply(exchange)
        if isTimed {
            reply.delays.head = exchange.phases.head
            reply.delays.body = exchange.phases.receive
        }
        return reply
    }

    private static func reply(_ exchange: RecordedExchange) throws(HTTPError) -> MockReply {
        guard let answer = exchange.answer else {
            return .failure(exchange.failure ?? .networkError(NetworkFailure(.other, "the recording has no response")))
        }
        let reply = MockReply(status: answer.status, headers: answer.headers).trailers(answer.trailers)
        switch answer.body {
        case .bytes(let body): return changed(reply, exchange.failure.map { .stream(broken(body, $0)) } ?? .data(body))
        case .start(let start):
            // The body of a redirect is discarded, so a truncated one is treated as complete.
            if exchange.failure == nil, answer.status.isRedirect { return changed(reply, .data(start)) }
            let end = HTTPError.invalidResponse(
                Explanation("\(exchange) ends after \(start.count) bytes, because its reader stopped there"))
            return changed(reply, .stream(broken(start, exchange.failure ?? end)))
        case .missing(let size):
            let count = size.map { "\($0) bytes" } ?? "a body"
            throw .invalidRequest(Explanation("\(exchange) has \(count) in its response, which are not in the recording"))
        }
    }

    private static func changed(_ reply: MockReply, _ content: MockReply.Content) -> MockReply {
        var reply = reply
        reply.content = content
        return reply
    }

    /// A body that returns some bytes and then throws an error.
    private static func broken(_ start: Data, _ failure: HTTPError) -> @Sendable () -> HTTPBody {
        {
            let isGiven = Locked(start.isEmpty)
            return HTTPBody {
                let wasGiven = isGiven.withLock { given in
                    defer { given = true }
                    return given
                }
                if wasGiven { throw failure }
                return start
            }
        }
    }
}
