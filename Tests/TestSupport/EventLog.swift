internal import MartletEssentials
package import MartletTesting

/// Keeps the events of calls as short lines.
package final class EventLog: CallObserver {
    private let recorder = Recorder<String>()
    private let seen = Recorder<CallInfo>()

    package init() {}

    /// The lines, such as `1 started GET /x`, `1 attempt 1`, `1 head 1: 200`, `1 body 1: 3`, `1 step …` and `1 ended: 200`. The first
    /// number counts the calls of this log.
    package var lines: [String] { recorder.values }

    /// The calls that were seen, in order.
    package var calls: [CallInfo] {
        seen.values.reduce(into: []) { calls, call in if !calls.contains(where: { $0.id == call.id }) { calls.append(call) } }
    }

    /// The lines without those of steps, attempts, heads and bodies.
    package var ends: [String] { lines.filter { $0.contains(" started") || $0.contains(" ended") } }

    package func observe(_ event: CallEvent, of call: CallInfo) {
        seen.append(call)
        let number = (calls.firstIndex { $0.id == call.id } ?? -1) + 1
        recorder.append("\(number) \(line(event))")
    }

    /// Waits until a line ends with some text.
    package func wait(for end: String) async { while !lines.contains(where: { $0.hasSuffix(end) }) { await Task.yield() } }

    private func line(_ event: CallEvent) -> String {
        switch event {
        case .started(let request): "started " + (request.map { "\($0.method) \($0.url.path)" } ?? "nil")
        case .attemptStarted(let number, _): "attempt \(number)"
        case .headReceived(let number, let response): "head \(number): \(response.status.rawValue)"
        case .bodyReceived(let number, let data): "body \(number): \(data.count)"
        case .message(let message): "\(message.direction) \(message.content.count)"
        case .step(let step): "step \(name(step.kind))"
        case .ended(.success(let head), _): "ended: " + (head.map { "\($0.status.rawValue)" } ?? "nil")
        case .ended(.failure(let error), _): "failed and ended: \(name(error))"
        }
    }

    private func name(_ kind: CallTrace.Kind) -> String {
        switch kind {
        case .attempt(let attempt): "attempt \(attempt.number)"
        case .retry: "retry"
        case .redirect: "redirect"
        case .renewal: "renewal"
        case .cache: "cache"
        case .note(let text): text
        }
    }

    private func name(_ error: HTTPError) -> String {
        switch error {
        case .statusCode(let response): "status \(response.status.rawValue)"
        case .decodingFailed: "decoding"
        case .cancelled: "cancelled"
        case .timeout: "timeout"
        case .invalidURL: "URL"
        case .networkError: "network"
        case .invalidRequest: "request"
        default: "\(error)"
        }
    }
}
