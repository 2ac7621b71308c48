public import Foundation
public import Martlet

/// A request as a ``MockServer`` received it.
public struct RecordedRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The target as it was sent: path and query.
    public var target: String
    /// The fields, every line of them.
    public var headers: HTTPFields
    /// The body, its chunks joined.
    public var body: Data
    /// The fields after a chunked body.
    public var trailers: HTTPFields
    /// Which of the server's connections it came by, from 1: two requests with the same number shared one.
    public var connection: Int
    /// Whether it was the connection's first request.
    public var isFirstOnConnection: Bool

    /// The path as it was sent, percent-encoded, without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query as it was sent, without the `?`; nil when there is none.
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

    init(method: HTTPMethod, target: String, headers: HTTPFields) {
        self.method = method
        self.target = target
        self.headers = headers
        body = Data()
        trailers = [:]
        connection = 0
        isFirstOnConnection = true
    }

    /// Whether the client wants the connection closed after the answer.
    var closesConnection: Bool { headers.values(for: .connection).contains { $0.lowercased().contains("close") } }
}
