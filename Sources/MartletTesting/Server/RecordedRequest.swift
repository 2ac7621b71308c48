#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request as `MockServer` received it.
public struct RecordedRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The request target as it was sent, percent-encoded, with its query: `/users/1?page=2`.
    public let target: String
    /// The version in the request line.
    public let version: HTTPVersion
    /// The fields, in their order and with their duplicates.
    public let headers: HTTPFields
    /// The content, without the framing of chunks.
    public let body: Data
    /// The fields after a chunked body.
    public let trailers: HTTPFields
    /// Which of the server's connections it came by, counted from 1: equal numbers mean that a connection was kept alive.
    public let connection: Int
    /// The bytes of request line and fields as they were received, the empty line included.
    public let receivedHead: Data

    /// The target's path, percent-encoded, without its query: `/users/1`.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The target's query, percent-encoded, without the question mark; nil when there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    init(head: RequestHead, body: Data, trailers: HTTPFields, connection: Int) {
        method = head.method
        target = head.target
        version = head.version
        headers = head.fields
        self.body = body
        self.trailers = trailers
        self.connection = connection
        receivedHead = Data(head.received)
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// The request line.
    public var description: String { "\(method) \(target) \(version.rawValue)" }
}

extension RecordedRequest: CapturedRequest {
    /// The request's parts; the URL is the target, without scheme and host.
    public var snapshot: RequestSnapshot { RequestSnapshot(method: method, url: target, headers: headers, body: body) }
}
