import Foundation
import Martlet
import MartletSystem
import MartletTesting

/// A server of one file that supports ranges and can be made to fail.
final class RangeServer: Sendable {
    struct Behaviour: Sendable {
        var content: Data
        var tag: String? = "\"v1\""
        /// The numbers of bytes after which successive responses break off. Later responses are complete.
        var cuts: [Int] = []
        var understandsRanges = true
        var headers: HTTPFields = [:]
        /// The statuses of the first responses, in place of the file.
        var refusals: [HTTPStatus] = []
    }

    private let behaviour: Locked<Behaviour>
    let server: MockServer

    private init(_ behaviour: Behaviour) async throws {
        let behaviour = Locked(behaviour)
        self.behaviour = behaviour
        // The closure must not hold this object, which holds the server.
        server = try await MockServer.start { RangeServer.reply(to: $0, behaviour) }
    }

    static func start(_ content: Data, _ change: (inout Behaviour) -> Void = { _ in }) async throws -> RangeServer {
        var behaviour = Behaviour(content: content)
        change(&behaviour)
        return try await RangeServer(behaviour)
    }

    func change(_ body: (inout Behaviour) -> Void) { behaviour.withLock { body(&$0) } }

    var ranges: [String] { server.requests.map { $0.headers[.range] ?? "none" } }

    private static func reply(to request: RecordedRequest, _ behaviour: Locked<Behaviour>) -> MockReply {
        let (now, cut, refusal) = behaviour.withLock { state in
            let refusal = state.refusals.isEmpty ? nil : state.refusals.removeFirst()
            return (state, refusal == nil && !state.cuts.isEmpty ? state.cuts.removeFirst() : nil, refusal)
        }
        if let refusal { return .status(refusal) }
        var headers = now.headers
        if let tag = now.tag { headers[.eTag] = tag }
        let start = now.understandsRanges ? start(request, now.tag) : 0
        guard start == 0 || start < now.content.count else {
            headers[.contentRange] = "bytes */\(now.content.count)"
            return .status(416, headers: headers)
        }
        let part = Data(now.content.dropFirst(start))
        if start > 0 { headers[.contentRange] = "bytes \(start)-\(now.content.count - 1)/\(now.content.count)" }
        let reply = MockReply.data(part, contentType: "application/x-iso", status: start > 0 ? 206 : 200, headers: headers)
        return cut.map { reply.disconnecting(afterBodyBytes: $0) } ?? reply
    }

    private static func start(_ request: RecordedRequest, _ tag: String?) -> Int {
        guard let range = request.headers[.range], request.headers[.ifRange].map({ $0 == tag }) ?? true else { return 0 }
        return Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
    }
}
